-- How many stored kernel names the rules of a file named.
SELECT count(*) FILTER (WHERE r.origin = $source) AS named, count(*) AS names
FROM kernel_names AS n LEFT JOIN family_rules AS r ON r.rule = n.rule;

-- All rules at once: each pattern is compiled anew for each name, so for few names only.
UPDATE new_kernels
SET family = found.family, implementation = found.implementation, rule = found.rule
FROM (
    SELECT k.rowid AS kernel, min_by(r.family, r.rule) AS family,
        min_by(r.implementation, r.rule) AS implementation, min(r.rule) AS rule
    FROM new_kernels AS k
    INNER JOIN family_rules AS r
        ON r.platform IN ('any', k.platform)
            AND regexp_matches(
                CASE r.applies_to WHEN 'name' THEN k.name ELSE nullif(k.op_type, '') END, r.pattern
            )
    WHERE k.family IS NULL
    GROUP BY k.rowid
) AS found
WHERE new_kernels.rowid = found.kernel;

-- The ranks of one run.
SELECT DISTINCT p.rank FROM profiles AS p JOIN runs AS r ON r.run_id = p.run_id
WHERE r.label = $label ORDER BY p.rank;

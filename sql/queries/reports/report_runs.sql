-- The runs and ranks that a report can be asked for.
SELECT r.label, p.rank
FROM runs AS r
LEFT JOIN profiles AS p ON p.run_id = r.run_id
GROUP BY r.label, p.rank
ORDER BY r.label, p.rank;

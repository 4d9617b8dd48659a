-- The run stored last, beside this one, that has a profile on the same platform.
SELECT r.label
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
WHERE r.label <> $label AND p.platform IN (
    SELECT q.platform FROM profiles AS q JOIN runs AS s ON s.run_id = q.run_id
    WHERE s.label = $label
)
GROUP BY r.run_id, r.label
ORDER BY r.run_id DESC
LIMIT 1;

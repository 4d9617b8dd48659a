INSERT INTO runs
SELECT (SELECT coalesce(max(run_id), 0) + 1 FROM runs), CAST($label AS VARCHAR),
    CAST(now() AT TIME ZONE 'UTC' AS TIMESTAMP)
WHERE NOT EXISTS (SELECT 1 FROM runs WHERE label = $label);

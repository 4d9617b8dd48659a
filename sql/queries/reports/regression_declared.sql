-- What was declared of both runs.
WITH declared AS (
    SELECT r.label, f.key, string_agg(f.value, ', ' ORDER BY f.value) AS value
    FROM runs AS r
    JOIN run_facts AS f ON f.run_id = r.run_id
    WHERE r.label IN ($base, $cand)
    GROUP BY r.label, f.key
)
SELECT
    key, max(value) FILTER (WHERE label = $base) AS base,
    max(value) FILTER (WHERE label = $cand) AS cand
FROM declared
GROUP BY key
ORDER BY key;

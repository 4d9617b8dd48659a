-- One row per run for the list of runs.
SELECT r.label, count(s.profile_id) AS profiles,
    array_to_string(list_sort(list(DISTINCT s.platform) FILTER (WHERE s.platform IS NOT NULL)), ',')
        AS platform,
    min(s.captured_at) AS captured_at_utc, CAST(sum(s.kernels) AS BIGINT) AS kernels,
    round(sum(s.gpu_ms), 6) AS gpu_ms, CAST(sum(s.contexts) AS BIGINT) AS contexts,
    CASE
        WHEN bool_or(s.trust = 'poor') THEN 'poor'
        WHEN bool_or(s.trust <> 'ok') THEN 'limited'
        ELSE 'ok'
    END AS trust
FROM runs AS r LEFT JOIN run_summary AS s ON s.label = r.label
GROUP BY r.label ORDER BY r.label;

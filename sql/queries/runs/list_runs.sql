-- One row per run for the list of runs.
SELECT r.label, count(s.profile_id) AS profiles,
    array_to_string(list_sort(list(DISTINCT s.platform) FILTER (WHERE s.platform IS NOT NULL)), ',')
        AS platform,
    min(s.captured_at) AS captured_at, CAST(sum(s.kernels) AS BIGINT) AS kernels,
    sum(s.gpu_ms) AS gpu_ms, CAST(sum(s.contexts) AS BIGINT) AS contexts,
    count(*) FILTER (WHERE s.trust <> 'ok') AS doubted
FROM runs AS r LEFT JOIN run_summary AS s ON s.label = r.label
GROUP BY r.label ORDER BY r.label;

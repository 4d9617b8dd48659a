-- The profiles of a run on all ranks.
SELECT
    s.rank, s.source_path, left(p.digest, 12) AS digest, p.digest AS sha256,
    s.format, s.platform, s.device_name,
    p.layout, s.captured_at, s.window_ms, s.events, s.gpu_events, s.kernels, s.gpu_ms,
    s.trust, s.trust_reasons, p.profdb_version
FROM run_summary_v1 AS s
JOIN profiles AS p ON p.profile_id = s.profile_id
WHERE s.label = $label
ORDER BY s.rank, s.captured_at, s.source_path;

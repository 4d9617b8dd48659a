-- The runs that stand beside the base to measure how far equal runs differ.
SELECT
    s.label, s.platform, p.layout, s.device_name, s.window_ms, s.trust, s.source_path,
    p.digest AS sha256
FROM run_summary_v1 AS s
JOIN profiles AS p ON p.profile_id = s.profile_id
WHERE list_contains($noise, s.label) AND s.rank = $rank
ORDER BY list_position($noise, s.label), s.captured_at, s.source_path;

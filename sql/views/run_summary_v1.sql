-- What is known of every profile, and how far it can be trusted.
CREATE OR REPLACE VIEW run_summary_v1 AS
-- Counted per profile and kernel name: whether a launch is a kernel or a copy is told once a name.
WITH by_name AS (
    SELECT
        r.label, p.rank, k.profile_id, k.kernel_id,
        count(*) AS launches,
        CAST(coalesce(sum(k.dur_ns) FILTER (WHERE k.part_of_collective IS NOT TRUE), 0) AS BIGINT)
            AS gpu_ns,
        min(k.start_ns) AS start_ns,
        max(k.start_ns + k.dur_ns) AS end_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN kernels AS k ON k.profile_id = p.profile_id
    GROUP BY r.label, p.rank, k.profile_id, k.kernel_id
),
launched AS (
    SELECT
        b.label, b.rank, b.profile_id,
        CAST(sum(b.launches) AS BIGINT) AS gpu_events,
        CAST(sum(b.launches) FILTER (WHERE n.kind = 'kernel') AS BIGINT) AS kernels,
        CAST(sum(b.gpu_ns) AS BIGINT) AS gpu_ns,
        max(b.end_ns) - min(b.start_ns) AS window_ns
    FROM by_name AS b
    LEFT JOIN kernel_names AS n ON n.kernel_id = b.kernel_id
    GROUP BY b.label, b.rank, b.profile_id
),
counted AS (
    SELECT profile_id, CAST(sum(seen) AS BIGINT) AS events
    FROM ledger
    GROUP BY profile_id
),
stepped AS (
    SELECT profile_id, count(*) AS contexts
    FROM contexts
    GROUP BY profile_id
),
doubted AS (
    SELECT
        profile_id,
        CASE WHEN count(*) FILTER (WHERE level = 'poor') > 0 THEN 'poor' ELSE 'limited' END
            AS trust,
        array_to_string(list_sort(list(DISTINCT
            reason || coalesce(' (' || CAST(events AS VARCHAR) || ')', '')
        ) FILTER (WHERE reason IS NOT NULL)), '; ') AS trust_reasons
    FROM trust_reasons
    GROUP BY profile_id
)
SELECT
    r.label, p.rank, p.profile_id, p.source_path, p.format, p.platform, p.device_name,
    p.captured_at,
    l.window_ns / 1e6 AS window_ms,
    coalesce(e.events, 0) AS events,
    coalesce(l.gpu_events, 0) AS gpu_events,
    coalesce(l.kernels, 0) AS kernels,
    coalesce(l.gpu_ns, 0) / 1e6 AS gpu_ms,
    coalesce(s.contexts, 0) AS contexts,
    coalesce(d.trust, 'ok') AS trust,
    d.trust_reasons
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
LEFT JOIN launched AS l
    ON l.label = r.label AND l.rank = p.rank AND l.profile_id = p.profile_id
LEFT JOIN counted AS e ON e.profile_id = p.profile_id
LEFT JOIN stepped AS s ON s.profile_id = p.profile_id
LEFT JOIN doubted AS d ON d.profile_id = p.profile_id;

COMMENT ON VIEW run_summary_v1 IS 'One row per profile: source, size, device time and trust.';
COMMENT ON COLUMN run_summary_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN run_summary_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN run_summary_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN run_summary_v1.source_path IS
    'File or folder that was ingested, as an absolute path of that host.';
COMMENT ON COLUMN run_summary_v1.format IS 'Reader that stored it, such as chrome or ascend_csv.';
COMMENT ON COLUMN run_summary_v1.platform IS 'cuda, rocm, ascend or unknown.';
COMMENT ON COLUMN run_summary_v1.device_name IS
    'Device name as the profiler wrote it; NULL where it wrote none.';
COMMENT ON COLUMN run_summary_v1.captured_at IS
    'Time of the first device event, UTC; NULL where timestamps are not absolute.';
COMMENT ON COLUMN run_summary_v1.window_ms IS
    'From the start of the first launch to the end of the last, ms; NULL without launches.';
COMMENT ON COLUMN run_summary_v1.events IS
    'Events seen in the source files, stored or not: sum of ledger.seen.';
COMMENT ON COLUMN run_summary_v1.gpu_events IS 'Launches stored: kernels, copies and fills.';
COMMENT ON COLUMN run_summary_v1.kernels IS
    'Launches stored whose kind is kernel: neither copy nor fill.';
COMMENT ON COLUMN run_summary_v1.gpu_ms IS
    'Sum of the durations of all launches, each collective counted once, ms.';
COMMENT ON COLUMN run_summary_v1.contexts IS 'Steps found, complete or not.';
COMMENT ON COLUMN run_summary_v1.trust IS
    'ok; limited or poor by the worst level in trust_reasons.';
COMMENT ON COLUMN run_summary_v1.trust_reasons IS
    'Reasons to trust it less, each with the number of its events; NULL where none.';

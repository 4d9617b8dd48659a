-- Host calls: as Ascend sums them up, else counted from its database's single calls, and from the
-- runtime calls of Chrome traces.
CREATE OR REPLACE VIEW api_time_v1 AS
WITH calls AS (
    SELECT
        r.label, p.rank, v.level, v.name, v.calls, v.total_ns, v.max_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN vendor_calls AS v ON v.profile_id = p.profile_id
    UNION ALL
    SELECT
        r.label, p.rank,
        CASE c.category
            WHEN 'CANN_API' THEN replace(replace(e.args, '{"type":"', ''), '"}', '')
            ELSE 'runtime'
        END,
        n.name, 1, e.dur_ns, e.dur_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN events AS e ON e.profile_id = p.profile_id
    JOIN categories AS c ON c.category_id = e.category_id
    JOIN names AS n ON n.name_id = e.name_id
    -- cuda_runtime, cuda_driver, hip_runtime, Runtime of older ROCm
    WHERE c.ph = 'X' AND (
        lower(c.category) LIKE '%runtime' OR lower(c.category) LIKE '%driver'
        OR c.category = 'CANN_API'
        AND NOT EXISTS (SELECT 1 FROM vendor_calls AS v WHERE v.profile_id = p.profile_id)
    )
)
SELECT
    label, rank, level, name,
    CAST(sum(calls) AS BIGINT) AS calls,
    CAST(sum(total_ns) AS BIGINT) / 1e6 AS total_ms,
    CAST(sum(total_ns) AS BIGINT) / 1e3 / nullif(CAST(sum(calls) AS BIGINT), 0) AS mean_us,
    max(max_ns) / 1e3 AS max_us
FROM calls
GROUP BY label, rank, level, name;

COMMENT ON VIEW api_time_v1 IS
    'One row per level and host call; of calls that overlap or nest, each counts whole.';
COMMENT ON COLUMN api_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN api_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN api_time_v1.level IS
    'Ascend: acl, runtime, node, model or communication; Chrome traces: runtime.';
COMMENT ON COLUMN api_time_v1.name IS 'Name of the call.';
COMMENT ON COLUMN api_time_v1.calls IS 'How often it was called.';
COMMENT ON COLUMN api_time_v1.total_ms IS 'Sum of the durations on the host, ms.';
COMMENT ON COLUMN api_time_v1.mean_us IS 'Mean duration: total_ms * 1000 / calls, us.';
COMMENT ON COLUMN api_time_v1.max_us IS 'Longest call, us.';

-- What the host did more of, or took longer for, between two runs.
CREATE OR REPLACE VIEW api_diff_v1 AS
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.level, b.name, b.calls, b.total_ms,
        b.mean_us, b.max_us
    FROM api_time_v1 AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.level, c.name, c.calls, c.total_ms,
        c.mean_us, c.max_us
    FROM api_time_v1 AS c
    CROSS JOIN runs AS o
),
pairs AS (
    SELECT
        base, cand, rank, level, name,
        max(calls) FILTER (WHERE side = 0) AS base_calls,
        max(calls) FILTER (WHERE side = 1) AS cand_calls,
        max(total_ms) FILTER (WHERE side = 0) AS base_total_ms,
        max(total_ms) FILTER (WHERE side = 1) AS cand_total_ms,
        max(mean_us) FILTER (WHERE side = 0) AS base_mean_us,
        max(mean_us) FILTER (WHERE side = 1) AS cand_mean_us,
        max(max_us) FILTER (WHERE side = 0) AS base_max_us,
        max(max_us) FILTER (WHERE side = 1) AS cand_max_us
    FROM sides
    GROUP BY base, cand, rank, level, name
)
SELECT
    base, cand, rank, level, name,
    base_calls, cand_calls, base_total_ms, cand_total_ms, base_mean_us, cand_mean_us,
    base_max_us, cand_max_us,
    coalesce(cand_total_ms, 0) - coalesce(base_total_ms, 0) AS more_ms,
    CASE
        WHEN base_calls IS NULL THEN cand_total_ms
        ELSE (coalesce(cand_calls, 0) - base_calls) * base_total_ms / nullif(base_calls, 0)
    END AS calls_effect_ms,
    cand_total_ms - cand_calls * base_total_ms / nullif(base_calls, 0) AS mean_effect_ms
FROM pairs;

COMMENT ON VIEW api_diff_v1 IS
    'One row per runs, rank, level and host call: WHERE base = ''0815'' AND cand = ''1009''.';
COMMENT ON COLUMN api_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN api_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN api_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN api_diff_v1.level IS
    'Ascend: acl, runtime, node, model or communication; Chrome traces: runtime.';
COMMENT ON COLUMN api_diff_v1.name IS 'Name of the call.';
COMMENT ON COLUMN api_diff_v1.base_calls IS 'Calls in base; NULL where it has none.';
COMMENT ON COLUMN api_diff_v1.cand_calls IS 'Calls in cand; NULL where it has none.';
COMMENT ON COLUMN api_diff_v1.base_total_ms IS 'Time of the calls of base on the host, ms.';
COMMENT ON COLUMN api_diff_v1.cand_total_ms IS 'Time of the calls of cand on the host, ms.';
COMMENT ON COLUMN api_diff_v1.base_mean_us IS 'Mean duration in base, us.';
COMMENT ON COLUMN api_diff_v1.cand_mean_us IS 'Mean duration in cand, us.';
COMMENT ON COLUMN api_diff_v1.base_max_us IS 'Longest call of base, us.';
COMMENT ON COLUMN api_diff_v1.cand_max_us IS 'Longest call of cand, us.';
COMMENT ON COLUMN api_diff_v1.more_ms IS
    'Time in cand less that in base, ms: calls_effect_ms + mean_effect_ms. Windows may differ.';
COMMENT ON COLUMN api_diff_v1.calls_effect_ms IS
    'Part by the number of calls: (cand_calls - base_calls) * mean of base, ms; new ones whole.';
COMMENT ON COLUMN api_diff_v1.mean_effect_ms IS
    'Part by their duration: cand_calls * (mean of cand - mean of base), ms; NULL if one-sided.';

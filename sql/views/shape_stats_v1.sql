-- How long each kernel takes at each shape.
CREATE OR REPLACE VIEW shape_stats_v1 AS
WITH cells AS (
    SELECT
        l.label, l.rank, l.phase, l.op_id, g.group_id, l.shape_id, l.dtype_id,
        count(*) AS launches,
        CASE
            WHEN count(l.context_id) > 0
            THEN count(DISTINCT CASE WHEN l.complete THEN l.context_id END)
        END AS steps,
        CAST(sum(l.dur_ns) AS BIGINT) AS total_ns,
        quantile_cont(l.dur_ns, 0.5) AS p50_ns,
        quantile_cont(l.dur_ns, 0.99) AS p99_ns,
        max(l.dur_ns) AS max_ns
    FROM _launches_v1 AS l
    LEFT JOIN _kernel_groups_v1 AS g ON g.kernel_id = l.kernel_id
    GROUP BY l.label, l.rank, l.phase, l.op_id, g.group_id, l.shape_id, l.dtype_id
),
named AS (
    SELECT
        c.label, c.rank, c.phase, o.name AS op, coalesce(k.stable_name, k.name) AS kernel,
        coalesce(s.shape, '') AS shape, d.name AS dtype,
        CASE
            WHEN t.op IS NULL THEN s.tokens
            ELSE TRY_CAST(split_part(split_part(s.shape, ';', t.tensor), ',', 1) AS BIGINT)
        END AS tokens,
        c.launches, c.steps,
        c.total_ns / 1e6 AS total_ms,
        c.total_ns / c.launches / 1e3 AS mean_us,
        c.p50_ns / 1e3 AS p50_us,
        c.p99_ns / 1e3 AS p99_us,
        c.max_ns / 1e3 AS max_us
    FROM cells AS c
    LEFT JOIN names AS o ON o.name_id = c.op_id
    LEFT JOIN kernel_names AS k ON k.kernel_id = c.group_id
    LEFT JOIN shapes AS s ON s.shape_id = c.shape_id
    LEFT JOIN names AS d ON d.name_id = c.dtype_id
    LEFT JOIN token_tensors AS t ON t.op = o.name
)
SELECT
    label, rank, phase, op, kernel, shape, dtype, tokens, launches, steps, total_ms, mean_us,
    p50_us, p99_us, max_us,
    CASE
        WHEN tokens IS NULL THEN shape
        ELSE replace(replace(replace(replace(
            '[' || replace(shape, ';', '];[') || ']',
            '[' || CAST(tokens AS VARCHAR) || ',', '[T,'),
            '[' || CAST(tokens AS VARCHAR) || ']',
            CASE WHEN tokens < 32 THEN '[' || CAST(tokens AS VARCHAR) || ']' ELSE '[T]' END),
            '[', ''), ']', '')
    END AS pattern
FROM named;

COMMENT ON VIEW shape_stats_v1 IS 'One row per phase, operator, kernel, shape and data types.';
COMMENT ON COLUMN shape_stats_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN shape_stats_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN shape_stats_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN shape_stats_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN shape_stats_v1.kernel IS
    'Kernel name without generated numbering and counters (kernel_names.stable_name).';
COMMENT ON COLUMN shape_stats_v1.shape IS
    'Input shapes: dimensions by comma, tensors by semicolon; '''' where unknown.';
COMMENT ON COLUMN shape_stats_v1.dtype IS 'Types of the input tensors; NULL where unknown.';
COMMENT ON COLUMN shape_stats_v1.tokens IS
    'Leading dimension of the first matrix, or of the tensor that token_tensors names; else NULL.';
COMMENT ON COLUMN shape_stats_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN shape_stats_v1.steps IS
    'Complete steps in which it ran; NULL for work of no step.';
COMMENT ON COLUMN shape_stats_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN shape_stats_v1.mean_us IS 'total_ms / launches, in us.';
COMMENT ON COLUMN shape_stats_v1.p50_us IS
    'Exact interpolated median of the duration of all its launches, us.';
COMMENT ON COLUMN shape_stats_v1.p99_us IS
    'Exact interpolated 99th percentile of the duration of all its launches, us.';
COMMENT ON COLUMN shape_stats_v1.max_us IS 'Longest of its launches, us.';
COMMENT ON COLUMN shape_stats_v1.pattern IS
    'The shape with T where a tensor begins with the tokens, as in group_diff.';

-- Which operator at which shape got slower between two runs.
CREATE OR REPLACE VIEW shape_diff_v1 AS
-- Each side has its own label as a plain column and takes the other from runs, so that constants
-- for base and cand reach the scan of kernels; a join of the two sides would read every run.
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.op_id, b.shape_id,
        b.kernel, b.launches, b.steps, b.total_ns, b.p50_ns, b.p99_ns, b.max_ns
    FROM _shape_cells_v1 AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.op_id, c.shape_id,
        c.kernel, c.launches, c.steps, c.total_ns, c.p50_ns, c.p99_ns, c.max_ns
    FROM _shape_cells_v1 AS c
    CROSS JOIN runs AS o
),
pairs AS (
    SELECT
        base, cand, rank, phase, op_id, shape_id,
        max(kernel) FILTER (WHERE side = 0) AS base_kernel,
        max(kernel) FILTER (WHERE side = 1) AS cand_kernel,
        max(launches) FILTER (WHERE side = 0) AS base_launches,
        max(launches) FILTER (WHERE side = 1) AS cand_launches,
        max(steps) FILTER (WHERE side = 0) AS base_steps,
        max(steps) FILTER (WHERE side = 1) AS cand_steps,
        max(total_ns) FILTER (WHERE side = 0) AS base_total_ns,
        max(total_ns) FILTER (WHERE side = 1) AS cand_total_ns,
        max(p50_ns) FILTER (WHERE side = 0) AS base_p50_ns,
        max(p50_ns) FILTER (WHERE side = 1) AS cand_p50_ns,
        max(p99_ns) FILTER (WHERE side = 0) AS base_p99_ns,
        max(p99_ns) FILTER (WHERE side = 1) AS cand_p99_ns,
        max(max_ns) FILTER (WHERE side = 0) AS base_max_ns,
        max(max_ns) FILTER (WHERE side = 1) AS cand_max_ns
    FROM sides
    GROUP BY base, cand, rank, phase, op_id, shape_id
),
named AS (
    SELECT
        p.base, p.cand, p.rank, p.phase, o.name AS op, coalesce(s.shape, '') AS shape,
        CASE
            WHEN t.op IS NULL THEN s.tokens
            ELSE TRY_CAST(split_part(split_part(s.shape, ';', t.tensor), ',', 1) AS BIGINT)
        END AS tokens,
        p.base_kernel, p.cand_kernel,
        p.base_launches, p.cand_launches,
        p.base_steps, p.cand_steps,
        p.base_total_ns / 1e6 AS base_total_ms,
        p.cand_total_ns / 1e6 AS cand_total_ms,
        p.base_total_ns / p.base_launches / 1e3 AS base_mean_us,
        p.cand_total_ns / p.cand_launches / 1e3 AS cand_mean_us,
        p.base_p50_ns / 1e3 AS base_p50_us,
        p.cand_p50_ns / 1e3 AS cand_p50_us,
        p.base_p99_ns / 1e3 AS base_p99_us,
        p.cand_p99_ns / 1e3 AS cand_p99_us,
        p.base_max_ns / 1e3 AS base_max_us,
        p.cand_max_ns / 1e3 AS cand_max_us,
        (p.cand_total_ns / p.cand_launches)
            / nullif(p.base_total_ns / p.base_launches, 0) - 1 AS mean_change,
        p.cand_p50_ns / nullif(p.base_p50_ns, 0) - 1 AS p50_change,
        p.cand_p99_ns / nullif(p.base_p99_ns, 0) - 1 AS p99_change,
        p.cand_launches * (p.cand_p50_ns - p.base_p50_ns) / 1e6 AS lost_ms
    FROM pairs AS p
    LEFT JOIN names AS o ON o.name_id = p.op_id
    LEFT JOIN shapes AS s ON s.shape_id = p.shape_id
    LEFT JOIN token_tensors AS t ON t.op = o.name
)
SELECT
    base, cand, rank, phase, op, shape, tokens, base_kernel, cand_kernel, base_launches,
    cand_launches, base_steps, cand_steps, base_total_ms, cand_total_ms, base_mean_us,
    cand_mean_us, base_p50_us, cand_p50_us, base_p99_us, cand_p99_us, base_max_us,
    cand_max_us, mean_change, p50_change, p99_change, lost_ms,
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

COMMENT ON VIEW shape_diff_v1 IS
    'One row per pair of runs, rank, phase, op, shape: WHERE base = ''0815'' AND cand = ''1009''.';
COMMENT ON COLUMN shape_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN shape_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN shape_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN shape_diff_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN shape_diff_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN shape_diff_v1.shape IS
    'Input shapes: dimensions by comma, tensors by semicolon; '''' where unknown.';
COMMENT ON COLUMN shape_diff_v1.tokens IS
    'Leading dimension of the first matrix, or of the tensor that token_tensors names; else NULL.';
COMMENT ON COLUMN shape_diff_v1.base_kernel IS
    'Base: kernel (stable name) with the largest total; by name among equals.';
COMMENT ON COLUMN shape_diff_v1.cand_kernel IS
    'Candidate: kernel (stable name) with the largest total; by name among equals.';
COMMENT ON COLUMN shape_diff_v1.base_launches IS
    'Base: all launches, over all kernels; NULL where it lacks the shape.';
COMMENT ON COLUMN shape_diff_v1.cand_launches IS
    'Candidate: all launches, over all kernels; NULL where it lacks the shape.';
COMMENT ON COLUMN shape_diff_v1.base_steps IS
    'Base: complete steps in which it ran; NULL for work of no step.';
COMMENT ON COLUMN shape_diff_v1.cand_steps IS
    'Candidate: complete steps in which it ran; NULL for work of no step.';
COMMENT ON COLUMN shape_diff_v1.base_total_ms IS 'Base: sum of the durations, ms.';
COMMENT ON COLUMN shape_diff_v1.cand_total_ms IS 'Candidate: sum of the durations, ms.';
COMMENT ON COLUMN shape_diff_v1.base_mean_us IS 'Base: total / launches, us.';
COMMENT ON COLUMN shape_diff_v1.cand_mean_us IS 'Candidate: total / launches, us.';
COMMENT ON COLUMN shape_diff_v1.base_p50_us IS
    'Base: exact interpolated median of the duration, us.';
COMMENT ON COLUMN shape_diff_v1.cand_p50_us IS
    'Candidate: exact interpolated median of the duration, us.';
COMMENT ON COLUMN shape_diff_v1.base_p99_us IS
    'Base: exact interpolated 99th percentile of the duration, us.';
COMMENT ON COLUMN shape_diff_v1.cand_p99_us IS
    'Candidate: exact interpolated 99th percentile of the duration, us.';
COMMENT ON COLUMN shape_diff_v1.base_max_us IS 'Base: longest launch, us.';
COMMENT ON COLUMN shape_diff_v1.cand_max_us IS 'Candidate: longest launch, us.';
COMMENT ON COLUMN shape_diff_v1.mean_change IS 'cand_mean_us / base_mean_us - 1, a fraction.';
COMMENT ON COLUMN shape_diff_v1.p50_change IS 'cand_p50_us / base_p50_us - 1, a fraction.';
COMMENT ON COLUMN shape_diff_v1.p99_change IS 'cand_p99_us / base_p99_us - 1, a fraction.';
COMMENT ON COLUMN shape_diff_v1.lost_ms IS
    'cand_launches * (cand_p50_us - base_p50_us), in ms; NULL where a side is missing.';
COMMENT ON COLUMN shape_diff_v1.pattern IS
    'The shape with T where a tensor begins with the tokens, as in group_diff.';

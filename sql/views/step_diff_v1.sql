-- What a step lost between two runs, split in three: slower kernels at equal counts, other counts
-- and shapes, and time in which the device had nothing to do.
CREATE OR REPLACE VIEW step_diff_v1 AS
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.context_id,
        b.period_ns, b.busy_ns
    FROM _context_cells_v1 AS b
    CROSS JOIN runs AS o
    WHERE b.complete AND b.launches > 0
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.context_id,
        c.period_ns, c.busy_ns
    FROM _context_cells_v1 AS c
    CROSS JOIN runs AS o
    WHERE c.complete AND c.launches > 0
),
steps AS (
    SELECT
        base, cand, rank, phase,
        count(DISTINCT context_id) FILTER (WHERE side = 0) AS base_steps,
        count(DISTINCT context_id) FILTER (WHERE side = 1) AS cand_steps,
        quantile_cont(period_ns, 0.5) FILTER (WHERE side = 0) AS base_period_ns,
        quantile_cont(period_ns, 0.5) FILTER (WHERE side = 1) AS cand_period_ns,
        quantile_cont(busy_ns, 0.5) FILTER (WHERE side = 0) AS base_busy_ns,
        quantile_cont(busy_ns, 0.5) FILTER (WHERE side = 1) AS cand_busy_ns,
        quantile_cont(period_ns - busy_ns, 0.5) FILTER (WHERE side = 0) AS base_gap_ns,
        quantile_cont(period_ns - busy_ns, 0.5) FILTER (WHERE side = 1) AS cand_gap_ns
    FROM sides
    GROUP BY base, cand, rank, phase
),
strata AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high,
        count(*) FILTER (WHERE side = 0) AS n0,
        count(*) FILTER (WHERE side = 1) AS n1,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE side = 0), 0) AS BIGINT) AS t0,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE side = 1), 0) AS BIGINT) AS t1
    FROM _group_pairs_v1
    WHERE complete
    GROUP BY base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high
),
sums AS (
    SELECT
        base, cand, rank, phase,
        CAST(sum(t0) AS BIGINT) AS t0, CAST(sum(t1) AS BIGINT) AS t1,
        CAST(sum(
            CASE WHEN n0 = 0 THEN t1 ELSE n1 * (t0 / nullif(n0, 0)) END
        ) AS DOUBLE) AS e_ns
    FROM strata
    GROUP BY base, cand, rank, phase
)
SELECT
    s.base, s.cand, s.rank, s.phase, s.base_steps, s.cand_steps,
    s.base_period_ns / 1e6 AS base_period_ms, s.cand_period_ns / 1e6 AS cand_period_ms,
    s.base_busy_ns / 1e6 AS base_busy_ms, s.cand_busy_ns / 1e6 AS cand_busy_ms,
    s.base_gap_ns / 1e6 AS base_gap_ms, s.cand_gap_ns / 1e6 AS cand_gap_ms,
    (s.cand_period_ns - s.base_period_ns) / 1e6 AS period_lost_ms,
    s.cand_period_ns / nullif(s.base_period_ns, 0) - 1 AS period_change,
    (m.t1 - m.e_ns) / nullif(s.cand_steps, 0) / 1e6 AS kernel_lost_ms,
    (m.e_ns / nullif(s.cand_steps, 0) - m.t0 / nullif(s.base_steps, 0)) / 1e6 AS count_lost_ms,
    (s.cand_gap_ns - s.base_gap_ns) / 1e6 AS gap_lost_ms
FROM steps AS s
LEFT JOIN sums AS m
    ON m.base = s.base AND m.cand = s.cand AND m.rank = s.rank AND m.phase = s.phase;

COMMENT ON VIEW step_diff_v1 IS
    'One row per pair of runs, rank and phase: WHERE base = ''0815'' AND cand = ''1009''.';
COMMENT ON COLUMN step_diff_v1.base IS 'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN step_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN step_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN step_diff_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN step_diff_v1.base_steps IS 'Base: complete steps with device work.';
COMMENT ON COLUMN step_diff_v1.cand_steps IS 'Candidate: complete steps with device work.';
COMMENT ON COLUMN step_diff_v1.base_period_ms IS 'Base: median from step to step, ms.';
COMMENT ON COLUMN step_diff_v1.cand_period_ms IS 'Candidate: median from step to step, ms.';
COMMENT ON COLUMN step_diff_v1.base_busy_ms IS
    'Base: median of the time in which the step ran, ms.';
COMMENT ON COLUMN step_diff_v1.cand_busy_ms IS
    'Candidate: median of the time in which the step ran, ms.';
COMMENT ON COLUMN step_diff_v1.base_gap_ms IS 'Base: median of period - busy, ms.';
COMMENT ON COLUMN step_diff_v1.cand_gap_ms IS 'Candidate: median of period - busy, ms.';
COMMENT ON COLUMN step_diff_v1.period_lost_ms IS 'cand_period_ms - base_period_ms.';
COMMENT ON COLUMN step_diff_v1.period_change IS 'cand_period_ms / base_period_ms - 1, a fraction.';
COMMENT ON COLUMN step_diff_v1.kernel_lost_ms IS
    'Slower launches of the same shape groups, at the candidate''s counts, ms per step.';
COMMENT ON COLUMN step_diff_v1.count_lost_ms IS
    'Other counts and shape groups, at the base''s means, ms per step.';
COMMENT ON COLUMN step_diff_v1.gap_lost_ms IS 'cand_gap_ms - base_gap_ms.';

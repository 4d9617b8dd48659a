-- Which kernel got slower or runs more often between two runs.
CREATE OR REPLACE VIEW kernel_diff_v1 AS
-- Each side takes the other label from runs, so that constants reach the scan of kernels.
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.group_id,
        b.launches, b.launches_per_step, b.ms_per_step, b.p50_us
    FROM _kernel_sides_v1 AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.group_id,
        c.launches, c.launches_per_step, c.ms_per_step, c.p50_us
    FROM _kernel_sides_v1 AS c
    CROSS JOIN runs AS o
),
pairs AS (
    SELECT
        base, cand, rank, phase, group_id,
        max(launches) FILTER (WHERE side = 0) AS base_launches,
        max(launches) FILTER (WHERE side = 1) AS cand_launches,
        max(launches_per_step) FILTER (WHERE side = 0) AS base_launches_per_step,
        max(launches_per_step) FILTER (WHERE side = 1) AS cand_launches_per_step,
        max(ms_per_step) FILTER (WHERE side = 0) AS base_ms_per_step,
        max(ms_per_step) FILTER (WHERE side = 1) AS cand_ms_per_step,
        max(p50_us) FILTER (WHERE side = 0) AS base_p50_us,
        max(p50_us) FILTER (WHERE side = 1) AS cand_p50_us
    FROM sides
    GROUP BY base, cand, rank, phase, group_id
)
SELECT
    p.base, p.cand, p.rank, p.phase, coalesce(n.stable_name, n.name) AS kernel,
    p.base_launches, p.cand_launches,
    p.base_launches_per_step, p.cand_launches_per_step,
    p.base_ms_per_step, p.cand_ms_per_step,
    p.base_p50_us, p.cand_p50_us,
    p.cand_launches_per_step / nullif(p.base_launches_per_step, 0) - 1
        AS launches_per_step_change,
    p.cand_ms_per_step / nullif(p.base_ms_per_step, 0) - 1 AS ms_per_step_change,
    p.cand_p50_us / nullif(p.base_p50_us, 0) - 1 AS p50_change
FROM pairs AS p
LEFT JOIN kernel_names AS n ON n.kernel_id = p.group_id;

COMMENT ON VIEW kernel_diff_v1 IS
    'One row per pair of runs, rank, phase and kernel: WHERE base = ''0815'' AND cand = ''1009''.';
COMMENT ON COLUMN kernel_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN kernel_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN kernel_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN kernel_diff_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN kernel_diff_v1.kernel IS
    'Kernel name without generated numbering and counters (kernel_names.stable_name).';
COMMENT ON COLUMN kernel_diff_v1.base_launches IS
    'Base: all launches of the kernel; NULL where it lacks the kernel.';
COMMENT ON COLUMN kernel_diff_v1.cand_launches IS
    'Candidate: all launches of the kernel; NULL where it lacks the kernel.';
COMMENT ON COLUMN kernel_diff_v1.base_launches_per_step IS
    'Base: launches of complete steps / steps of the phase.';
COMMENT ON COLUMN kernel_diff_v1.cand_launches_per_step IS
    'Candidate: launches of complete steps / steps of the phase.';
COMMENT ON COLUMN kernel_diff_v1.base_ms_per_step IS
    'Base: device time of complete steps / steps of the phase, ms.';
COMMENT ON COLUMN kernel_diff_v1.cand_ms_per_step IS
    'Candidate: device time of complete steps / steps of the phase, ms.';
COMMENT ON COLUMN kernel_diff_v1.base_p50_us IS
    'Base: exact interpolated median of the duration, us.';
COMMENT ON COLUMN kernel_diff_v1.cand_p50_us IS
    'Candidate: exact interpolated median of the duration, us.';
COMMENT ON COLUMN kernel_diff_v1.launches_per_step_change IS
    'cand_launches_per_step / base_launches_per_step - 1, a fraction.';
COMMENT ON COLUMN kernel_diff_v1.ms_per_step_change IS
    'cand_ms_per_step / base_ms_per_step - 1, a fraction.';
COMMENT ON COLUMN kernel_diff_v1.p50_change IS 'cand_p50_us / base_p50_us - 1, a fraction.';

-- Where the time of every phase goes: the phases and outside add up to all device time.
CREATE OR REPLACE VIEW phase_time_v1 AS
-- Two kinds of rows are laid over each other: time of launches, and steps. Not a join, since steps
-- without a launch stand on no device and work outside has no steps.
WITH spans AS (
    SELECT
        label, rank, phase, device, start_ns, dur_ns, start_ns + dur_ns AS end_ns,
        coalesce(max(start_ns + dur_ns) OVER (
            PARTITION BY label, rank, phase, profile_id, device
            ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), start_ns) AS reached_ns
    FROM _launches_v1
),
both_kinds AS (
    SELECT
        label, rank, phase, device,
        count(*) AS launches,
        CAST(sum(dur_ns) AS BIGINT) AS gpu_ns,
        CAST(sum(greatest(end_ns - greatest(start_ns, reached_ns), 0)) AS BIGINT) AS busy_ns,
        CAST(NULL AS BIGINT) AS steps,
        CAST(NULL AS BIGINT) AS steps_cut,
        CAST(NULL AS BIGINT) AS tokens,
        CAST(NULL AS BIGINT) AS complete_ns,
        CAST(NULL AS BIGINT) AS gap_ns,
        CAST(NULL AS DOUBLE) AS period_ns
    FROM spans
    GROUP BY label, rank, phase, device
    UNION ALL
    SELECT
        label, rank, phase, device,
        CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT),
        count(*) FILTER (WHERE complete),
        count(*) FILTER (WHERE NOT complete),
        CASE
            WHEN count(*) FILTER (WHERE complete AND tokens IS NULL) = 0
            THEN CAST(sum(tokens) FILTER (WHERE complete) AS BIGINT)
        END,
        CAST(coalesce(sum(gpu_ns) FILTER (WHERE complete), 0) AS BIGINT),
        CAST(sum(period_ns - busy_ns) AS BIGINT),
        quantile_cont(period_ns, 0.5) FILTER (WHERE complete)
    FROM _context_cells_v1
    GROUP BY label, rank, phase, device
),
phases AS (
    SELECT
        label, rank, phase, device,
        coalesce(max(launches), 0) AS launches,
        coalesce(max(gpu_ns), 0) AS gpu_ns,
        coalesce(max(busy_ns), 0) AS busy_ns,
        max(steps) AS steps,
        max(steps_cut) AS steps_cut,
        max(tokens) AS tokens,
        max(complete_ns) AS complete_ns,
        max(gap_ns) AS gap_ns,
        max(period_ns) AS period_ns
    FROM both_kinds
    GROUP BY label, rank, phase, device
)
SELECT
    label, rank, phase, device, steps, steps_cut, tokens, launches,
    gpu_ns / 1e6 AS gpu_ms,
    busy_ns / 1e6 AS busy_ms,
    gap_ns / 1e6 AS gap_ms,
    complete_ns / nullif(steps, 0) / 1e6 AS ms_per_step,
    complete_ns / nullif(tokens, 0) / 1e6 AS ms_per_token,
    period_ns / 1e6 AS period_ms,
    gpu_ns / nullif(CAST(sum(gpu_ns) OVER (PARTITION BY label, rank) AS BIGINT), 0) AS share
FROM phases;

COMMENT ON VIEW phase_time_v1 IS
    'One row per phase and device; steps without launches are counted in one of device NULL.';
COMMENT ON COLUMN phase_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN phase_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN phase_time_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN phase_time_v1.device IS
    'Ordinal of the device on its host; NULL for steps without launches.';
COMMENT ON COLUMN phase_time_v1.steps IS
    'Complete steps with work on the device; NULL for work of no step.';
COMMENT ON COLUMN phase_time_v1.steps_cut IS
    'Steps with work on the device that are not complete; NULL for work of no step.';
COMMENT ON COLUMN phase_time_v1.tokens IS
    'Context tokens in prefill, else generation tokens; NULL where not told and in speculation.';
COMMENT ON COLUMN phase_time_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN phase_time_v1.gpu_ms IS
    'Sum of the durations of all launches of the phase on the device, ms.';
COMMENT ON COLUMN phase_time_v1.busy_ms IS
    'Union of the intervals of all launches of the phase on the device, ms.';
COMMENT ON COLUMN phase_time_v1.gap_ms IS
    'Sum of period - busy of its steps, ms; the last step of a profile has no period.';
COMMENT ON COLUMN phase_time_v1.ms_per_step IS
    'gpu_ms of complete steps / steps; NULL where there is no step.';
COMMENT ON COLUMN phase_time_v1.ms_per_token IS
    'gpu_ms of complete steps / tokens; NULL where these are not told.';
COMMENT ON COLUMN phase_time_v1.period_ms IS
    'Median over complete steps from first launch to first launch of the next step, ms.';
COMMENT ON COLUMN phase_time_v1.share IS
    'gpu_ms / gpu_ms of the label and rank on all devices, a fraction of 1.';

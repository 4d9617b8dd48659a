-- One side of kernel_diff, on ids.
CREATE OR REPLACE VIEW _kernel_sides_v1 AS
SELECT
    k.label, k.rank, k.phase, k.group_id, k.launches,
    k.complete_launches / nullif(s.steps, 0) AS launches_per_step,
    k.complete_ns / nullif(s.steps, 0) / 1e6 AS ms_per_step,
    k.p50_ns / 1e3 AS p50_us
FROM _kernel_stats_v1 AS k
LEFT JOIN _phase_steps_v1 AS s
    ON s.label = k.label AND s.rank = k.rank AND s.phase = k.phase;

COMMENT ON VIEW _kernel_sides_v1 IS
    'One row per label, rank, phase and kernel by its stable name; from kernels.';
COMMENT ON COLUMN _kernel_sides_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _kernel_sides_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _kernel_sides_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _kernel_sides_v1.group_id IS 'Lowest kernel_id with the same stable name.';
COMMENT ON COLUMN _kernel_sides_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _kernel_sides_v1.launches_per_step IS
    'Launches of complete steps / steps of the phase; NULL where there is no step.';
COMMENT ON COLUMN _kernel_sides_v1.ms_per_step IS
    'Device time of complete steps / steps of the phase, ms; NULL where there is no step.';
COMMENT ON COLUMN _kernel_sides_v1.p50_us IS
    'Exact interpolated median of the duration of all its launches, us.';

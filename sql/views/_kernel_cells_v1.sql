-- Sums per kernel id; the families are summed up from these few rows.
CREATE OR REPLACE VIEW _kernel_cells_v1 AS
SELECT
    label, rank, phase, kernel_id,
    count(*) AS launches,
    CAST(sum(dur_ns) AS BIGINT) AS total_ns,
    count(*) FILTER (WHERE complete) AS complete_launches,
    CAST(coalesce(sum(dur_ns) FILTER (WHERE complete), 0) AS BIGINT) AS complete_ns
FROM _launches_v1
GROUP BY label, rank, phase, kernel_id;

COMMENT ON VIEW _kernel_cells_v1 IS 'One row per label, rank, phase and kernel id; from kernels.';
COMMENT ON COLUMN _kernel_cells_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _kernel_cells_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _kernel_cells_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _kernel_cells_v1.kernel_id IS 'The name of table kernel_names.';
COMMENT ON COLUMN _kernel_cells_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _kernel_cells_v1.total_ns IS 'Sum of the durations of all its launches, ns.';
COMMENT ON COLUMN _kernel_cells_v1.complete_launches IS 'Launches in complete steps.';
COMMENT ON COLUMN _kernel_cells_v1.complete_ns IS 'Device time in complete steps, ns.';

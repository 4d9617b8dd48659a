-- The kernels of a family and implementation together, with what the figures divide by.
CREATE OR REPLACE VIEW _family_cells_v1 AS
SELECT
    f.label, f.rank, f.phase, f.family, f.implementation, f.launches, f.total_ns,
    f.complete_launches, f.complete_ns, s.steps, s.tokens
FROM (
    SELECT
        k.label, k.rank, k.phase, n.family, n.implementation,
        CAST(sum(k.launches) AS BIGINT) AS launches,
        CAST(sum(k.total_ns) AS BIGINT) AS total_ns,
        CAST(sum(k.complete_launches) AS BIGINT) AS complete_launches,
        CAST(sum(k.complete_ns) AS BIGINT) AS complete_ns
    FROM _kernel_cells_v1 AS k
    LEFT JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
    GROUP BY k.label, k.rank, k.phase, n.family, n.implementation
) AS f
LEFT JOIN _phase_steps_v1 AS s
    ON s.label = f.label AND s.rank = f.rank AND s.phase = f.phase;

COMMENT ON VIEW _family_cells_v1 IS
    'One row per label, rank, phase, family and implementation; from kernels.';
COMMENT ON COLUMN _family_cells_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _family_cells_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _family_cells_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _family_cells_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN _family_cells_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN _family_cells_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _family_cells_v1.total_ns IS 'Sum of the durations of all its launches, ns.';
COMMENT ON COLUMN _family_cells_v1.complete_launches IS 'Launches in complete steps.';
COMMENT ON COLUMN _family_cells_v1.complete_ns IS 'Device time in complete steps, ns.';
COMMENT ON COLUMN _family_cells_v1.steps IS
    'Complete steps of the phase; NULL where it has no steps.';
COMMENT ON COLUMN _family_cells_v1.tokens IS
    'Tokens of the complete steps of the phase; NULL where not told.';

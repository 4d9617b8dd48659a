-- How often each step launched the kernels that serve modules. Helpers of a main kernel, such as
-- the reduction of split-K, serve none and are left out.
CREATE OR REPLACE VIEW _step_groups_v1 AS
SELECT
    l.label, l.rank, l.profile_id, l.phase, l.context_id, l.complete,
    s.kind, n.family, n.implementation,
    count(*) AS launches,
    CAST(sum(l.dur_ns) AS BIGINT) AS gpu_ns
FROM _launches_v1 AS l
JOIN _kernel_kinds_v1 AS s ON s.kernel_id = l.kernel_id
JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
WHERE l.context_id IS NOT NULL AND s.kind IS NOT NULL AND s.kind <> 'beside'
GROUP BY
    l.label, l.rank, l.profile_id, l.phase, l.context_id, l.complete,
    s.kind, n.family, n.implementation;

COMMENT ON VIEW _step_groups_v1 IS
    'One row per step, family and implementation that may serve modules of a model; from kernels.';
COMMENT ON COLUMN _step_groups_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _step_groups_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _step_groups_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _step_groups_v1.phase IS 'Phase of the step.';
COMMENT ON COLUMN _step_groups_v1.context_id IS 'The step, of table contexts.';
COMMENT ON COLUMN _step_groups_v1.complete IS
    'False where the window cut the step or device work of it is missing.';
COMMENT ON COLUMN _step_groups_v1.kind IS
    'Kind of modules that it may serve: linear, experts, attention or linear_attention.';
COMMENT ON COLUMN _step_groups_v1.family IS 'Family of the kernels.';
COMMENT ON COLUMN _step_groups_v1.implementation IS 'Implementation of the kernels.';
COMMENT ON COLUMN _step_groups_v1.launches IS 'Launches of the step.';
COMMENT ON COLUMN _step_groups_v1.gpu_ns IS 'Sum of their durations, ns.';

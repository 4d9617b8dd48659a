-- The steps that do not close, complete or not.
CREATE OR REPLACE VIEW closure_steps_v1 AS
SELECT
    label, rank, model, phase, context_id, family, implementation, launches, expected, residual,
    step_index, complete, kind
FROM _step_closure_v1
WHERE residual <> 0;

COMMENT ON VIEW closure_steps_v1 IS
    'One row per model, step and group of kernels that does not close, in complete steps or not.';
COMMENT ON COLUMN closure_steps_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN closure_steps_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN closure_steps_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN closure_steps_v1.phase IS 'Phase of the step.';
COMMENT ON COLUMN closure_steps_v1.context_id IS 'The step of context_time.';
COMMENT ON COLUMN closure_steps_v1.family IS 'Family of the kernels.';
COMMENT ON COLUMN closure_steps_v1.implementation IS 'Implementation of the kernels.';
COMMENT ON COLUMN closure_steps_v1.launches IS 'Launches of the step.';
COMMENT ON COLUMN closure_steps_v1.expected IS 'Launches that the modules make which it serves.';
COMMENT ON COLUMN closure_steps_v1.residual IS 'launches - expected.';
COMMENT ON COLUMN closure_steps_v1.step_index IS
    'Step number of the profiler, else the place in time from 0.';
COMMENT ON COLUMN closure_steps_v1.complete IS
    'False where the window cut the step or device work of it is missing.';
COMMENT ON COLUMN closure_steps_v1.kind IS 'linear, experts, attention or linear_attention.';

-- The launch budget: what a model closes with (launches_per_step), and the same per token.
CREATE OR REPLACE VIEW launches_per_token_v1 AS
SELECT
    label, rank, phase, family, implementation, launches, steps, tokens,
    complete_launches / nullif(steps, 0) AS launches_per_step,
    complete_launches / nullif(tokens, 0) AS launches_per_token,
    total_ns / 1e6 AS total_ms,
    complete_ns / nullif(steps, 0) / 1e6 AS ms_per_step,
    complete_ns / nullif(tokens, 0) / 1e6 AS ms_per_token,
    total_ns / launches / 1e3 AS mean_us,
    total_ns / nullif(CAST(sum(total_ns) OVER (PARTITION BY label, rank, phase) AS BIGINT), 0)
        AS phase_share,
    total_ns / nullif(CAST(sum(total_ns) OVER (PARTITION BY label, rank) AS BIGINT), 0)
        AS run_share
FROM _family_cells_v1;

COMMENT ON VIEW launches_per_token_v1 IS 'One row per phase, family and implementation.';
COMMENT ON COLUMN launches_per_token_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN launches_per_token_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN launches_per_token_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN launches_per_token_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN launches_per_token_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN launches_per_token_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN launches_per_token_v1.steps IS
    'Complete steps of the phase, over all profiles of the rank; NULL where it has no steps.';
COMMENT ON COLUMN launches_per_token_v1.tokens IS
    'Context tokens in prefill, else generation tokens; NULL where not told and in speculation.';
COMMENT ON COLUMN launches_per_token_v1.launches_per_step IS
    'Launches of complete steps / steps of the phase; NULL where there is no step.';
COMMENT ON COLUMN launches_per_token_v1.launches_per_token IS
    'Launches of complete steps / tokens of the phase; NULL where these are not told.';
COMMENT ON COLUMN launches_per_token_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN launches_per_token_v1.ms_per_step IS
    'Device time of complete steps / steps of the phase, ms; NULL where there is no step.';
COMMENT ON COLUMN launches_per_token_v1.ms_per_token IS
    'Device time of complete steps / tokens of the phase, ms; NULL where these are not told.';
COMMENT ON COLUMN launches_per_token_v1.mean_us IS 'total_ms / launches, in us.';
COMMENT ON COLUMN launches_per_token_v1.phase_share IS
    'Device time / device time of the label, rank and phase, a fraction of 1.';
COMMENT ON COLUMN launches_per_token_v1.run_share IS
    'Device time / device time of the label and rank in all phases, a fraction of 1.';

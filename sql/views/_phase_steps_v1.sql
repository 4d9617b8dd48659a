-- What per-step and per-token figures divide by. A phase with one complete step of untold tokens
-- has no tokens: time over only some of the tokens would be too much per token.
CREATE OR REPLACE VIEW _phase_steps_v1 AS
SELECT
    label, rank, phase,
    count(*) FILTER (WHERE complete) AS steps,
    count(*) FILTER (WHERE NOT complete) AS steps_cut,
    CASE
        WHEN count(*) FILTER (WHERE complete AND tokens IS NULL) = 0
        THEN CAST(sum(tokens) FILTER (WHERE complete) AS BIGINT)
    END AS tokens
FROM _steps_v1
GROUP BY label, rank, phase;

COMMENT ON VIEW _phase_steps_v1 IS
    'One row per label, rank and phase that has steps; from contexts.';
COMMENT ON COLUMN _phase_steps_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _phase_steps_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _phase_steps_v1.phase IS
    'prefill, prefill_tail, decode, mixed, draft, idle or unknown.';
COMMENT ON COLUMN _phase_steps_v1.steps IS 'Complete steps, over all profiles of the rank.';
COMMENT ON COLUMN _phase_steps_v1.steps_cut IS 'Steps that are not complete.';
COMMENT ON COLUMN _phase_steps_v1.tokens IS
    'Context tokens in prefill, else generation tokens, of complete steps; NULL where not told.';

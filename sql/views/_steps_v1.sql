-- Every step with the tokens that its phase counts. More generation tokens than requests are
-- scheduled by speculation, and how many of them were accepted is not in a trace: time per
-- scheduled token would be no time per token.
CREATE OR REPLACE VIEW _steps_v1 AS
SELECT
    r.label, p.rank, c.profile_id, c.context_id, c.phase, coalesce(c.complete, FALSE) AS complete,
    CASE
        WHEN c.phase IN ('prefill', 'prefill_tail') THEN c.context_tokens
        WHEN c.phase IN ('decode', 'mixed') AND c.generation_tokens > c.generation_requests
        THEN CAST(NULL AS BIGINT)
        WHEN c.phase IN ('decode', 'mixed') THEN c.generation_tokens
    END AS tokens,
    c.step_index, c.name, c.source, c.context_requests, c.context_tokens,
    c.generation_requests, c.generation_tokens, c.start_ns
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN contexts AS c ON c.profile_id = p.profile_id;

COMMENT ON VIEW _steps_v1 IS 'One row per step; from contexts.';
COMMENT ON COLUMN _steps_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _steps_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _steps_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _steps_v1.context_id IS 'The step, of table contexts.';
COMMENT ON COLUMN _steps_v1.phase IS
    'prefill, prefill_tail, decode, mixed, draft, idle or unknown.';
COMMENT ON COLUMN _steps_v1.complete IS
    'False where the window cut it or device work of it is missing.';
COMMENT ON COLUMN _steps_v1.tokens IS
    'Context tokens in prefill, generation tokens in decode and mixed; NULL under speculation.';
COMMENT ON COLUMN _steps_v1.step_index IS
    'Step number of the profiler or engine, else the place in time from 0.';
COMMENT ON COLUMN _steps_v1.name IS 'Text of the annotation.';
COMMENT ON COLUMN _steps_v1.source IS 'How it was found, such as annotation.';
COMMENT ON COLUMN _steps_v1.context_requests IS
    'Requests whose prompt was being read; NULL where not told.';
COMMENT ON COLUMN _steps_v1.context_tokens IS
    'Prompt tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN _steps_v1.generation_requests IS
    'Requests that were generating; NULL where not told.';
COMMENT ON COLUMN _steps_v1.generation_tokens IS
    'Generation tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN _steps_v1.start_ns IS 'Start of the annotation on the host, ns since the epoch.';

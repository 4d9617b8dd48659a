-- Where the time of every step goes.
CREATE OR REPLACE VIEW context_time_v1 AS
SELECT
    label, rank, context_id, step_index, name, phase, source, complete,
    context_requests, context_tokens, generation_requests, generation_tokens,
    device, launches,
    gpu_ns / 1e6 AS gpu_ms,
    busy_ns / 1e6 AS busy_ms,
    (period_ns - busy_ns) / 1e6 AS gap_ms,
    period_ns / 1e6 AS period_ms,
    start_ns,
    profile_id
FROM _context_cells_v1;

COMMENT ON VIEW context_time_v1 IS
    'One row per step and device; a step without launches has one of device NULL.';
COMMENT ON COLUMN context_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN context_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN context_time_v1.context_id IS 'The step, of table contexts.';
COMMENT ON COLUMN context_time_v1.step_index IS
    'Step number of the profiler or engine, else the place in time from 0.';
COMMENT ON COLUMN context_time_v1.name IS 'Text of the annotation.';
COMMENT ON COLUMN context_time_v1.phase IS
    'prefill, prefill_tail, decode, mixed, draft, idle or unknown.';
COMMENT ON COLUMN context_time_v1.source IS
    'How the step was found, such as annotation; inferred where only guessed from kernels.';
COMMENT ON COLUMN context_time_v1.complete IS
    'False where the window cut it or device work of it is missing.';
COMMENT ON COLUMN context_time_v1.context_requests IS
    'Requests whose prompt was being read; NULL where not told.';
COMMENT ON COLUMN context_time_v1.context_tokens IS
    'Prompt tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN context_time_v1.generation_requests IS
    'Requests that were generating; NULL where not told.';
COMMENT ON COLUMN context_time_v1.generation_tokens IS
    'Generation tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN context_time_v1.device IS
    'Ordinal of the device on its host; NULL for a step without launches.';
COMMENT ON COLUMN context_time_v1.launches IS 'Launches of the step on the device; copies count.';
COMMENT ON COLUMN context_time_v1.gpu_ms IS
    'Sum of the durations of its launches on the device, ms.';
COMMENT ON COLUMN context_time_v1.busy_ms IS
    'Union of the intervals of its launches on the device, ms.';
COMMENT ON COLUMN context_time_v1.gap_ms IS
    'period_ms - busy_ms; negative where steps overlap on the device.';
COMMENT ON COLUMN context_time_v1.period_ms IS
    'First launch of the step to that of the next, ms; drafts count apart; NULL for the last.';
COMMENT ON COLUMN context_time_v1.start_ns IS
    'First launch on the device, else start on the host, ns since the epoch.';
COMMENT ON COLUMN context_time_v1.profile_id IS
    'The profile of table profiles that recorded the step.';

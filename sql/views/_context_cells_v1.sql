-- The time of every step on every device, in whole nanoseconds.
CREATE OR REPLACE VIEW _context_cells_v1 AS
-- reached_ns is how far the launches before have come: what lies beyond it is new busy time, so
-- that overlapping streams are counted once.
WITH spans AS (
    SELECT
        label, rank, profile_id, device, context_id, phase, start_ns, dur_ns,
        start_ns + dur_ns AS end_ns,
        coalesce(max(start_ns + dur_ns) OVER (
            PARTITION BY label, rank, profile_id, device, context_id
            ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), start_ns) AS reached_ns
    FROM _launches_v1
    WHERE context_id IS NOT NULL
),
cells AS (
    SELECT
        label, rank, profile_id, device, context_id,
        count(*) AS launches,
        CAST(sum(dur_ns) AS BIGINT) AS gpu_ns,
        CAST(sum(greatest(end_ns - greatest(start_ns, reached_ns), 0)) AS BIGINT) AS busy_ns,
        min(start_ns) AS start_ns,
        max(CASE WHEN phase = 'draft' THEN 1 ELSE 0 END) AS draft
    FROM spans
    GROUP BY label, rank, profile_id, device, context_id
),
-- Steps of which no work was recorded though they were not idle.
lost AS (
    SELECT
        s.label, s.rank, s.profile_id, s.context_id,
        CAST(sum(CASE WHEN w.context_id IS NULL AND s.phase <> 'idle' THEN 1 ELSE 0 END) OVER (
            PARTITION BY s.label, s.rank, s.profile_id ORDER BY s.context_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS lost
    FROM _steps_v1 AS s
    LEFT JOIN (
        SELECT DISTINCT label, rank, profile_id, context_id FROM cells
    ) AS w
        ON w.label = s.label AND w.rank = s.rank AND w.profile_id = s.profile_id
        AND w.context_id = s.context_id
),
-- A period goes from step to step: a draft in between does not end it. Over a lost step it would
-- be that of two.
following AS (
    SELECT
        c.label, c.rank, c.profile_id, c.device, c.context_id, c.launches, c.gpu_ns, c.busy_ns,
        c.start_ns, l.lost,
        lead(c.start_ns) OVER (
            PARTITION BY c.label, c.rank, c.profile_id, c.device, c.draft
            ORDER BY c.start_ns, c.context_id
        ) AS next_ns,
        lead(l.lost) OVER (
            PARTITION BY c.label, c.rank, c.profile_id, c.device, c.draft
            ORDER BY c.start_ns, c.context_id
        ) AS next_lost
    FROM cells AS c
    JOIN lost AS l
        ON l.label = c.label AND l.rank = c.rank AND l.profile_id = c.profile_id
        AND l.context_id = c.context_id
),
periods AS (
    SELECT
        label, rank, profile_id, device, context_id, launches, gpu_ns, busy_ns, start_ns,
        CASE WHEN next_lost = lost THEN next_ns - start_ns END AS period_ns
    FROM following
)
SELECT
    s.label, s.rank, s.profile_id, s.context_id, s.phase, s.complete, s.tokens, t.device,
    coalesce(t.launches, 0) AS launches,
    coalesce(t.gpu_ns, 0) AS gpu_ns,
    coalesce(t.busy_ns, 0) AS busy_ns,
    t.period_ns,
    coalesce(t.start_ns, s.start_ns) AS start_ns,
    s.step_index, s.name, s.source, s.context_requests, s.context_tokens,
    s.generation_requests, s.generation_tokens
FROM _steps_v1 AS s
LEFT JOIN periods AS t
    ON t.label = s.label AND t.rank = s.rank AND t.profile_id = s.profile_id
    AND t.context_id = s.context_id;

COMMENT ON VIEW _context_cells_v1 IS
    'One row per step and device, a step without launches has one of device NULL; from kernels.';
COMMENT ON COLUMN _context_cells_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _context_cells_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _context_cells_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _context_cells_v1.context_id IS 'The step, of table contexts.';
COMMENT ON COLUMN _context_cells_v1.phase IS
    'prefill, prefill_tail, decode, mixed, draft, idle or unknown.';
COMMENT ON COLUMN _context_cells_v1.complete IS
    'False where the window cut it or device work of it is missing.';
COMMENT ON COLUMN _context_cells_v1.tokens IS
    'Context tokens in prefill, generation tokens in decode and mixed; NULL under speculation.';
COMMENT ON COLUMN _context_cells_v1.device IS
    'Ordinal of the device on its host; NULL for a step without launches.';
COMMENT ON COLUMN _context_cells_v1.launches IS 'Launches of the step on the device; copies count.';
COMMENT ON COLUMN _context_cells_v1.gpu_ns IS
    'Sum of the durations of its launches on the device, ns.';
COMMENT ON COLUMN _context_cells_v1.busy_ns IS
    'Union of the intervals of its launches on the device, ns.';
COMMENT ON COLUMN _context_cells_v1.period_ns IS
    'First launch of the step to that of the next, ns; drafts count apart; NULL for the last.';
COMMENT ON COLUMN _context_cells_v1.start_ns IS
    'First launch on the device, else start on the host, ns since the epoch.';
COMMENT ON COLUMN _context_cells_v1.step_index IS
    'Step number of the profiler or engine, else the place in time from 0.';
COMMENT ON COLUMN _context_cells_v1.name IS 'Text of the annotation.';
COMMENT ON COLUMN _context_cells_v1.source IS 'How it was found, such as annotation.';
COMMENT ON COLUMN _context_cells_v1.context_requests IS
    'Requests whose prompt was being read; NULL where not told.';
COMMENT ON COLUMN _context_cells_v1.context_tokens IS
    'Prompt tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN _context_cells_v1.generation_requests IS
    'Requests that were generating; NULL where not told.';
COMMENT ON COLUMN _context_cells_v1.generation_tokens IS
    'Generation tokens scheduled in the step; NULL where not told.';

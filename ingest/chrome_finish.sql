-- A step is not complete if a launch call of it has no device work: it was lost, or came after the
-- window. Calls that run a host function launch nothing.
CREATE TEMP TABLE lost AS
SELECT DISTINCT coalesce(c.thread_step, c.process_step) AS context_no
FROM stage.calls AS c
ANTI JOIN stage.work AS w ON w.correlation = c.correlation
WHERE c.name ILIKE '%launch%' AND c.name NOT ILIKE '%LaunchHostFunc%';
UPDATE stage.contexts SET complete = false
WHERE context_no IN (SELECT context_no FROM lost WHERE context_no IS NOT NULL);

-- Nor is a step that ran nothing though it was not idle: its launch calls were lost as well.
CREATE TEMP TABLE empty AS
SELECT c.context_no
FROM stage.contexts AS c
ANTI JOIN stage.work AS w ON w.context_no = c.context_no
ANTI JOIN lost AS l ON l.context_no = c.context_no
WHERE c.phase <> 'idle';
UPDATE stage.contexts SET complete = false WHERE context_no IN (FROM empty);

INSERT INTO stage.trust
SELECT 'limited', reason, events
FROM (
    SELECT 'steps with launch calls without device work' AS reason, count(*) AS events
    FROM lost WHERE context_no IS NOT NULL
    UNION ALL
    SELECT 'steps without device work', count(*) FROM empty
    UNION ALL
    SELECT 'launch calls that share a correlation id, whose device work may be of another step',
        count(*)
    FROM stage.calls WHERE alike > 1
    UNION ALL
    SELECT 'kernels without a launch call, not at the start', count(*)
    FROM stage.work WHERE attribution = 'no launch found'
    UNION ALL
    SELECT 'no launch calls recorded, device work cannot be given to steps', count(*)
    FROM stage.work WHERE attribution = 'no launch call recorded'
    UNION ALL
    SELECT 'no device work recorded', count(*)
    FROM stage.raw WHERE NOT EXISTS (SELECT 1 FROM stage.work)
    UNION ALL
    SELECT 'device records without a valid time', sum(l.set_aside)
    FROM stage.ledger AS l
    WHERE l.set_aside > 0 AND lower(l.category) IN (
        'kernel', 'gpu_memcpy', 'gpu_memset', 'memcpy', 'memset'
    )
)
WHERE events > 0;
DROP TABLE lost;
DROP TABLE empty;

CREATE OR REPLACE VIEW stage.events AS
SELECT r.cat AS category, r.ph, r.name, r.pid AS process, r.tid AS thread,
    r.ts + zero.ns AS start_ns, r.dur AS dur_ns, r.correlation, r.external_id, r.id AS flow_id,
    r.args
FROM stage.raw AS r CROSS JOIN stage.zero
WHERE r.ph IS NOT NULL AND r.role <> 'work' AND (r.role <> 'python' OR zero.keep_python);

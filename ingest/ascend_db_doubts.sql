-- A step is not complete if a launch call of it has no device work, nor if it ran nothing.
CREATE OR REPLACE TEMP TABLE empty AS
SELECT c.context_no
FROM stage.contexts AS c
ANTI JOIN stage.work AS w ON w.context_no = c.context_no
WHERE c.phase <> 'idle';
UPDATE stage.contexts SET complete = false
WHERE context_no IN (FROM stage.lost WHERE context_no IS NOT NULL) OR context_no IN (FROM empty);

INSERT INTO stage.trust
SELECT 'limited', reason, events
FROM (
    SELECT 'steps with launch calls without device work' AS reason, count(*) AS events
    FROM stage.lost WHERE context_no IS NOT NULL
    UNION ALL
    SELECT 'steps without device work', count(*) FROM empty
    UNION ALL
    SELECT 'kernels without a launch call, not at the start', count(*)
    FROM stage.work WHERE attribution = 'no launch found'
    UNION ALL
    SELECT 'no launch calls recorded, device work cannot be given to steps', count(*)
    FROM stage.work
    WHERE attribution = 'no launch call recorded' AND EXISTS (FROM stage.contexts)
    UNION ALL
    SELECT 'replayed launches whose launch call is not known', count(*)
    FROM stage.work
    WHERE attribution = 'graph replay, whose launch call is not known'
        AND EXISTS (FROM stage.contexts)
    UNION ALL
    SELECT 'kernels whose name is missing from STRING_IDS', count(*)
    FROM stage.work WHERE name = ''
)
WHERE events > 0;
DROP TABLE empty;

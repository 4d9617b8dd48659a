-- Newer files say when counters were taken: a group belongs to the run of the task that holds it.
UPDATE stage.measured SET turn = f.turn
FROM (
    SELECT m.rowid AS group_row, CASE WHEN m.timestampNs <= t.end_ns THEN t.turn ELSE 0 END AS turn
    FROM stage.measured AS m
    ASOF JOIN stage.turns AS t
        ON t.globalTaskId = m.globalTaskId AND t.start_ns <= m.timestampNs
) AS f
WHERE f.group_row = measured.rowid;

-- Older ones do not: groups are paired in their order, where there are as many as runs.
CREATE OR REPLACE TEMP TABLE unclear AS
SELECT m.globalTaskId
FROM stage.measured AS m JOIN stage.replayed AS r ON r.globalTaskId = m.globalTaskId
WHERE m.timestampNs IS NULL
GROUP BY m.globalTaskId HAVING count(*) <> any_value(r.times);
DELETE FROM stage.measured WHERE turn = 0 OR globalTaskId IN (FROM unclear);
INSERT INTO stage.trust
SELECT 'limited', 'replayed tasks whose counters cannot be told apart', count(*)
FROM unclear HAVING count(*) > 0;
DROP TABLE unclear;
DROP TABLE stage.TASK_PMU_INFO;
DELETE FROM stage.measured
WHERE rowid NOT IN (SELECT min(rowid) FROM stage.measured GROUP BY globalTaskId, turn);

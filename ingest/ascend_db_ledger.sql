-- Every table of the file but its dictionaries and the facts of the profile, which hold no events.
-- Rows that say more of other rows become none of their own.
CREATE OR REPLACE TEMP TABLE why AS
SELECT * FROM (VALUES
    ('COMPUTE_TASK_INFO', 'descriptions of tasks, read into TASK'),
    ('COMMUNICATION_SCHEDULE_TASK_INFO', 'descriptions of tasks, read into TASK'),
    ('TASK_PMU_INFO', 'counters of tasks, read into TASK'),
    ('COMMUNICATION_TASK_INFO', 'parts of collectives, which are counted whole'),
    ('PYTORCH_CALLCHAINS', 'call stacks, which are not read'),
    ('OVERLAP_ANALYSIS', 'computed from the launches by the vendor or a viewer'),
    ('status_info', 'notes of a viewer'), ('connectionCats', 'notes of a viewer')
) AS w (name, reason);

INSERT INTO stage.pauses
SELECT coalesce(t.deviceId, 0), t.streamId, s.value, t.startNs, t.endNs - t.startNs, false
FROM stage.TASK AS t
JOIN stage.texts AS s
    ON s.id = t.taskType AND upper(replace(s.value, ' ', '_')) IN ('MEM_WAIT_VALUE', 'CAPTURE_WAIT')
ANTI JOIN stage.described AS d ON d.globalTaskId = t.globalTaskId
WHERE t.endNs >= t.startNs;

CREATE OR REPLACE TEMP TABLE kept AS
SELECT 'COMMUNICATION_OP' AS name, count(*) AS stored FROM stage.launches WHERE is_collective
UNION ALL
SELECT 'TASK', (SELECT count(*) FROM stage.launches WHERE NOT is_collective)
    + (SELECT count(*) FROM stage.pauses)
UNION ALL
SELECT 'PYTORCH_API', count(*)
FROM stage.PYTORCH_API AS a CROSS JOIN stage.asked
WHERE asked.python OR coalesce(a.type, 50001) <> 50003
UNION ALL
SELECT 'CANN_API', count(*) FROM stage.CANN_API
UNION ALL
SELECT 'MSTX_EVENTS', count(*) FROM stage.MSTX_EVENTS
UNION ALL
SELECT 'STEP_TIME', count(*) FROM stage.STEP_TIME;

-- Tasks that a kernel table does not have either, by the runtime's kind.
CREATE OR REPLACE TEMP TABLE left_tasks AS
SELECT 'TASK' AS name, 'device tasks that are no kernels: ' || string_agg(
    kind || ' ' || tasks, ', ' ORDER BY tasks DESC, kind) AS reason
FROM (
    SELECT coalesce(s.value, 'unnamed') AS kind, count(*) AS tasks
    FROM stage.TASK AS t
    ANTI JOIN stage.described AS d ON d.globalTaskId = t.globalTaskId
    LEFT JOIN stage.texts AS s ON s.id = t.taskType
    WHERE coalesce(s.value NOT IN (SELECT name FROM stage.pauses), true)
    GROUP BY ALL
)
HAVING count(*) > 0
UNION ALL
SELECT name, 'without a start and a later end as whole ns: ' || count(*)
FROM (
    SELECT 'TASK' AS name, startNs, endNs
    FROM stage.TASK AS t SEMI JOIN stage.described AS d ON d.globalTaskId = t.globalTaskId
    UNION ALL
    SELECT 'COMMUNICATION_OP', startNs, endNs FROM stage.COMMUNICATION_OP
)
WHERE coalesce(endNs < startNs, true)
GROUP BY name
UNION ALL
SELECT 'PYTORCH_API', 'not asked for (--python stores them)'
FROM stage.PYTORCH_API AS a CROSS JOIN stage.asked
WHERE NOT asked.python AND a.type = 50003
GROUP BY ALL;

INSERT INTO stage.ledger
SELECT 1, s.name, s.seen, coalesce(k.stored, 0), s.seen - coalesce(k.stored, 0),
    CASE WHEN s.seen > coalesce(k.stored, 0)
        THEN coalesce(w.reason, l.reason, 'table that is not read') END
FROM stage.tables_seen AS s
LEFT JOIN why AS w ON lower(w.name) = lower(s.name)
LEFT JOIN kept AS k ON lower(k.name) = lower(s.name)
LEFT JOIN (
    SELECT name, string_agg(DISTINCT reason, '; ' ORDER BY reason) AS reason
    FROM left_tasks GROUP BY name
) AS l ON lower(l.name) = lower(s.name)
WHERE s.seen > 0 AND s.name NOT ILIKE 'ENUM\_%' ESCAPE '\' AND lower(s.name) NOT IN (
    'string_ids', 'connection_ids', 'meta_data', 'host_info', 'npu_info', 'rank_device_map',
    'session_time_info'
);
DROP TABLE why;
DROP TABLE kept;
DROP TABLE left_tasks;

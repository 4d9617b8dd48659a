-- Steps with launch calls that have no device work.
CREATE TABLE stage.lost AS
SELECT DISTINCT coalesce(o.thread_step, o.timed_step, o.process_step) AS context_no
FROM stage.origin_steps AS o
SEMI JOIN (
    SELECT c.connectionId FROM stage.CANN_API AS c
    JOIN stage.api_types AS k ON k.id = c.type AND k.meaning = 'node'
    JOIN stage.texts AS t ON t.id = c.name AND t.value = 'launch'
) AS l ON l.connectionId = o.connectionId
ANTI JOIN stage.TASK AS t ON t.connectionId = o.connectionId
ANTI JOIN stage.COMMUNICATION_OP AS p ON p.connectionId = o.connectionId;

INSERT INTO stage.trust
SELECT 'limited', reason, events
FROM (
    SELECT 'kernels described whose task was not recorded' AS reason, count(*) AS events
    FROM stage.described AS d ANTI JOIN stage.TASK AS t ON t.globalTaskId = d.globalTaskId
    UNION ALL
    SELECT 'tasks described twice, of which the first description is read', count(*)
    FROM stage.described WHERE rows > 1
    UNION ALL
    SELECT 'device records without a valid time', count(*)
    FROM stage.TASK AS t SEMI JOIN stage.described AS d ON d.globalTaskId = t.globalTaskId
    WHERE coalesce(t.endNs < t.startNs, true)
)
WHERE events > 0;

-- What follows needs memory, and tasks no more.
DROP TABLE stage.TASK;
DROP TABLE stage.described;

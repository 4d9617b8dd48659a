-- Tasks that are kernels are those that are described. The description of AICPU kernels of
-- collectives stands in a table of its own.
CREATE VIEW stage.descriptions AS
SELECT 0 AS place, * FROM stage.COMPUTE_TASK_INFO
UNION ALL BY NAME
SELECT 1 AS place, * FROM stage.COMMUNICATION_SCHEDULE_TASK_INFO;
CREATE TABLE stage.described AS
SELECT globalTaskId, min({place: place, row_no: row_no}) AS first, count(*) AS rows
FROM stage.descriptions WHERE globalTaskId IS NOT NULL GROUP BY globalTaskId;

-- Collectives have a device of their own only since September 2025: before, that of their tasks.
CREATE OR REPLACE TEMP TABLE devices AS
SELECT connectionId, min(deviceId) AS device, min(modelId) AS model_id
FROM stage.TASK SEMI JOIN stage.COMMUNICATION_OP USING (connectionId)
GROUP BY connectionId HAVING count(DISTINCT deviceId) = 1;

-- All launches in their order on the device, as the rows of a kernel table stand. A wait is the gap
-- to the row before, whatever its stream.
CREATE TABLE stage.launches AS
SELECT *,
    greatest(coalesce(start_ns - lag(end_ns) OVER (
        PARTITION BY device ORDER BY start_ns, is_collective, row_no
    ), 0), 0) AS wait_ns
FROM (
    SELECT
        false AS is_collective, t.row_no, coalesce(t.deviceId, 0) AS device, t.startNs AS start_ns,
        t.endNs AS end_ns, t.connectionId, t.globalTaskId, t.streamId AS stream,
        t.taskId AS task_id, t.modelId AS model_id, t.contextId AS vendor_context,
        d.first.place AS place, d.first.row_no AS info_row
    FROM stage.TASK AS t JOIN stage.described AS d ON d.globalTaskId = t.globalTaskId
    UNION ALL
    SELECT
        true, o.row_no, coalesce(o.deviceId, d.device, single.device, 0), o.startNs, o.endNs,
        o.connectionId, NULL, NULL, NULL, coalesce(d.model_id, single.model_id), NULL, NULL, NULL
    FROM stage.COMMUNICATION_OP AS o
    LEFT JOIN devices AS d ON d.connectionId = o.connectionId
    CROSS JOIN (
        SELECT CASE WHEN min(deviceId) = max(deviceId) THEN min(deviceId) END AS device,
            CASE WHEN min(modelId) = max(modelId) THEN min(modelId) END AS model_id
        FROM stage.TASK
    ) AS single
)
WHERE start_ns IS NOT NULL AND end_ns >= start_ns;
DROP TABLE devices;

-- A graph that is replayed runs its tasks under the same id each time: which time it is.
CREATE TABLE stage.replayed AS
SELECT globalTaskId, count(*) AS times
FROM stage.launches WHERE globalTaskId IS NOT NULL GROUP BY globalTaskId HAVING count(*) > 1;
CREATE TABLE stage.turns AS
SELECT l.row_no, l.globalTaskId, l.start_ns, l.end_ns, r.times,
    row_number() OVER (PARTITION BY l.globalTaskId ORDER BY l.start_ns, l.row_no) AS turn
FROM stage.launches AS l JOIN stage.replayed AS r ON r.globalTaskId = l.globalTaskId;

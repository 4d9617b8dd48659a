-- A launch belongs to the step that holds the operator from which a flow leads to it.
CREATE TABLE stage.asked_for AS
SELECT f.pid, f.tid, f.ts, any_value(s.pid) AS host_pid, any_value(s.tid) AS host_tid,
    min(s.ts) AS host_ts
FROM stage.raw AS f
JOIN stage.raw AS s ON s.id = f.id AND s.cat = f.cat AND s.ph = 's'
WHERE f.cat = 'async_npu' AND f.ph = 'f'
GROUP BY f.pid, f.tid, f.ts;
CREATE TABLE stage.launch_calls AS
SELECT a.pid, a.tid, a.ts, a.host_ts,
    CASE WHEN a.host_ts < o.ts + o.dur THEN o.name END AS host_op,
    CASE WHEN a.host_ts < t.end_ns THEN t.context_no END AS thread_step,
    CASE WHEN a.host_ts < p.end_ns THEN p.context_no END AS process_step
FROM stage.asked_for AS a
ASOF LEFT JOIN (
    SELECT pid, tid, ts, dur, name FROM stage.raw WHERE role = 'op' AND ph = 'X' AND dur > 0
) AS o ON o.pid = a.host_pid AND o.tid = a.host_tid AND o.ts <= a.host_ts
ASOF LEFT JOIN stage.thread_steps AS t
    ON t.pid = a.host_pid AND t.tid = a.host_tid AND t.start_ns <= a.host_ts
ASOF LEFT JOIN stage.process_steps AS p ON p.pid = a.host_pid AND p.start_ns <= a.host_ts;

INSERT INTO stage.work BY NAME
SELECT
    CAST(k.device AS INTEGER) AS device, k.stream, k.ts AS start_ns, k.dur AS dur_ns,
    'kernel' AS kind, coalesce(k.name, '') AS name, c.host_op,
    '' AS shape, 'none' AS shape_source,
    coalesce(c.thread_step, c.process_step) AS context_no,
    CASE
        WHEN c.thread_step IS NOT NULL THEN 'launch call'
        WHEN c.process_step IS NOT NULL THEN 'other thread of the process, within the step'
        WHEN c.host_ts IS NOT NULL THEN 'launch call outside any step'
        ELSE 'no launch call recorded'
    END AS attribution,
    TRY_CAST(json_extract_string(k.args, '$.connection_id') AS BIGINT) AS correlation,
    c.host_ts AS launch_ns,
    false AS graph_replay,
    CASE WHEN k.cat IN ('Communication', 'HCCL') THEN 'COMMUNICATION'
        ELSE json_extract_string(k.args, '$."Task Type"') END AS core,
    TRY_CAST(json_extract_string(k.args, '$."Task Id"') AS BIGINT) AS task_id,
    TRY_CAST(json_extract_string(k.args, '$."Model Id"') AS BIGINT) AS model_id,
    k.rowid AS args_row
FROM stage.raw AS k
LEFT JOIN stage.launch_calls AS c ON c.pid = k.pid AND c.tid = k.tid AND c.ts = k.ts
WHERE k.role = 'work' AND k.ph = 'X' AND k.ts IS NOT NULL AND k.dur >= 0
    AND NOT (k.ts = 0 AND k.dur = 0);

INSERT INTO stage.trust
SELECT 'limited', 'timeline without device work', 1 WHERE NOT EXISTS (SELECT 1 FROM stage.work);
INSERT INTO stage.trust
SELECT 'limited', 'a timeline only: no shapes and no operator types', count(*)
FROM stage.work HAVING count(*) > 0;

CREATE OR REPLACE VIEW stage.args AS
SELECT rowid AS args_row, args FROM stage.raw WHERE role = 'work';
CREATE OR REPLACE VIEW stage.events AS
SELECT r.cat AS category, r.ph, r.name, r.pid AS process, r.tid AS thread,
    r.ts AS start_ns, r.dur AS dur_ns, CAST(NULL AS BIGINT) AS correlation, r.external_id,
    r.id AS flow_id, r.args
FROM stage.raw AS r CROSS JOIN stage.zero
WHERE r.ph IS NOT NULL AND r.role <> 'work' AND (r.role <> 'python' OR zero.keep_python);
INSERT INTO stage.pauses
SELECT CAST(device AS INTEGER), stream, kind, ts, dur, true
FROM (
    SELECT device, stream, ts, dur, json_extract_string(args, '$."Task Type"') AS kind
    FROM stage.raw WHERE cat = 'Ascend Hardware' AND ph = 'X'
)
WHERE kind IN ('MEM_WAIT_VALUE', 'CAPTURE_WAIT') AND ts IS NOT NULL AND dur >= 0;

-- Device work belongs to the step that holds its launch call, never to one it overlaps in time.

-- Launch calls, one per correlation id, with the step on their own thread, else on another thread
-- of their process.
CREATE TABLE stage.calls AS
SELECT
    c.correlation, c.alike, c.pid, c.tid, c.ts, c.name, c.external_id,
    CASE WHEN c.ts < t.end_ns THEN t.context_no END AS thread_step,
    CASE WHEN c.ts < p.end_ns THEN p.context_no END AS process_step
FROM (
    SELECT correlation, count(*) AS alike, unnest(arg_min({
        pid: pid, tid: tid, ts: ts, name: name, external_id: external_id
    }, ts))
    FROM stage.raw
    WHERE role = 'runtime' AND ph = 'X' AND correlation IS NOT NULL AND ts IS NOT NULL
    GROUP BY correlation
) AS c
ASOF LEFT JOIN stage.thread_steps AS t ON t.pid = c.pid AND t.tid = c.tid AND t.start_ns <= c.ts
ASOF LEFT JOIN stage.process_steps AS p ON p.pid = c.pid AND p.start_ns <= c.ts;

-- The innermost operator by external id. Old writers filled it with noise, so that it counts only
-- where that operator holds the call; one that never finished holds all that follows. Zero is none.
CREATE TABLE stage.call_ops AS
SELECT c.correlation, arg_max(o.rowid, o.ts) AS op_row
FROM stage.calls AS c
JOIN stage.raw AS o
    ON o.external_id = c.external_id AND o.external_id <> 0 AND o.role = 'op' AND o.ph = 'X'
    AND o.pid = c.pid AND o.tid = c.tid AND o.ts <= c.ts
    AND (coalesce(o.dur, 0) <= 0 OR c.ts < o.ts + o.dur)
GROUP BY c.correlation;

-- Where there is none: the latest to begin on the thread, if it still runs.
CREATE TEMP TABLE left_over AS
SELECT c.correlation, c.pid, c.tid, c.ts
FROM stage.calls AS c
SEMI JOIN (SELECT correlation FROM stage.raw WHERE role = 'work') AS w USING (correlation)
ANTI JOIN stage.call_ops AS done USING (correlation);
CREATE TEMP TABLE latest AS
SELECT c.*, o.op_row, coalesce(c.ts < o.ts + o.dur, false) AS runs
FROM left_over AS c
ASOF LEFT JOIN (
    SELECT pid, tid, ts, dur, rowid AS op_row FROM stage.raw
    WHERE role = 'op' AND ph = 'X' AND dur > 0
) AS o ON o.pid = c.pid AND o.tid = c.tid AND o.ts <= c.ts;
INSERT INTO stage.call_ops SELECT correlation, op_row FROM latest WHERE runs;

-- Else the innermost that does. Each thread gets a range of its own on one axis, which leaves a
-- join by two inequalities; by the names of the threads DuckDB would pair every call of a thread
-- with every operator of it.
CREATE TEMP TABLE axis AS
SELECT pid, tid, row_number() OVER (ORDER BY pid, tid) * span - least AS shift
FROM (SELECT DISTINCT pid, tid FROM latest WHERE NOT runs AND op_row IS NOT NULL)
CROSS JOIN (
    SELECT min(ts) AS least, max(ts + greatest(coalesce(dur, 0), 0)) - min(ts) + 1 AS span
    FROM stage.raw WHERE role IN ('op', 'runtime')
);
INSERT INTO stage.call_ops
SELECT c.correlation, arg_max(o.op_row, o.starts) AS op_row
FROM (
    SELECT l.correlation, l.ts + a.shift AS at
    FROM latest AS l JOIN axis AS a ON a.pid = l.pid AND a.tid = l.tid
    WHERE NOT l.runs AND l.op_row IS NOT NULL
) AS c
JOIN (
    SELECT r.rowid AS op_row, r.ts + a.shift AS starts, r.ts + r.dur + a.shift AS ends
    FROM stage.raw AS r JOIN axis AS a ON a.pid = r.pid AND a.tid = r.tid
    WHERE r.role = 'op' AND r.ph = 'X' AND r.dur > 0
) AS o ON o.starts <= c.at AND c.at < o.ends
GROUP BY c.correlation;
DROP TABLE left_over;
DROP TABLE latest;
DROP TABLE axis;

-- What the operators of launch calls say of their inputs.
CREATE TABLE stage.op_inputs AS
SELECT c.correlation, o.name AS op,
    json_extract(o.args, '$."Input Dims"') AS dims,
    json_extract(o.args, '$."Input type"') AS dtypes
FROM stage.call_ops AS c JOIN stage.raw AS o ON o.rowid = c.op_row;

INSERT INTO stage.work BY NAME
SELECT
    coalesce(TRY_CAST(k.device AS INTEGER), TRY_CAST(k.pid AS INTEGER)) AS device,
    coalesce(k.stream, TRY_CAST(regexp_extract(k.tid, '\d+') AS BIGINT)) AS stream,
    k.ts + zero.ns AS start_ns,
    k.dur AS dur_ns,
    CASE WHEN lower(k.cat) = 'kernel' THEN 'kernel' WHEN k.cat ILIKE '%memset' THEN 'memset'
        ELSE 'memcpy' END AS kind,
    coalesce(k.name, '') AS name,
    o.op,
    o.op AS host_op,
    -- [[64, 32], [], [[2], [3]]] becomes 64,32;;2;3: tensors of a list count one by one.
    coalesce(replace(replace(replace(o.dims, '],[', ';'), '[', ''), ']', ''), '') AS shape,
    CASE WHEN o.dims IS NULL THEN 'none' ELSE 'operator arguments' END AS shape_source,
    replace(o.dtypes[3:-3], '","', ';') AS dtype,
    coalesce(c.thread_step, c.process_step) AS context_no,
    CASE
        WHEN c.thread_step IS NOT NULL THEN 'launch call'
        WHEN c.process_step IS NOT NULL THEN 'other thread of the process, within the step'
        WHEN c.correlation IS NOT NULL THEN 'launch call outside any step'
        WHEN launched.first_ts IS NULL THEN 'no launch call recorded'
        WHEN k.ts < launched.first_ts THEN 'launched before the window'
        ELSE 'no launch found'
    END AS attribution,
    k.correlation,
    c.ts + zero.ns AS launch_ns,
    c.name IS NOT NULL AND c.name ILIKE '%GraphLaunch%' AS graph_replay,
    k.graph_node AS graph_node_id,
    k.rowid AS args_row
FROM stage.raw AS k
CROSS JOIN stage.zero
CROSS JOIN (
    SELECT min(w.ts) AS first_ts
    FROM stage.raw AS w SEMI JOIN stage.calls AS c ON c.correlation = w.correlation
    WHERE w.role = 'work' AND w.ts > 0
) AS launched
LEFT JOIN stage.calls AS c ON c.correlation = k.correlation
LEFT JOIN stage.op_inputs AS o ON o.correlation = k.correlation
WHERE k.role = 'work' AND k.ph = 'X' AND k.ts IS NOT NULL AND k.dur >= 0
    AND NOT (k.ts = 0 AND k.dur = 0);

CREATE OR REPLACE VIEW stage.args AS
SELECT rowid AS args_row, args FROM stage.raw WHERE role = 'work';

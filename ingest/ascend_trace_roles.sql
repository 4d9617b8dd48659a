-- What the lanes are is told by metadata events: processes by name, threads by theirs.
CREATE TABLE stage.lanes AS
SELECT pid,
    max(json_extract_string(args, '$.name')) FILTER (WHERE name = 'process_name') AS process,
    max(json_extract_string(args, '$.labels')) FILTER (WHERE name = 'process_labels') AS label
FROM stage.raw WHERE ph = 'M' GROUP BY pid;
CREATE TABLE stage.lane_threads AS
SELECT pid, tid, max(json_extract_string(args, '$.name')) AS thread
FROM stage.raw WHERE ph = 'M' AND name = 'thread_name' GROUP BY pid, tid;

-- Kernels are the tasks of cores; copies, events, waits and values written are tasks of the runtime.
-- Of a collective the span over all of its planes counts, which lies on a thread of its own.
UPDATE stage.raw SET
    cat = coalesce(raw.cat, l.process),
    role = CASE
        WHEN raw.ph <> 'X' THEN raw.role
        WHEN l.process = 'Ascend Hardware' AND regexp_matches(
            json_extract_string(raw.args, '$."Task Type"'),
            '^(AI_|AIC|AIV|MIX_|KERNEL_|DSA|HCCL_AI_CPU|FFTS|CCU|AICPU|.*VECTOR)'
        ) THEN 'work'
        WHEN l.process IN ('Communication', 'HCCL')
            AND regexp_matches(coalesce(l.thread, ''), 'Communication$') THEN 'work'
        ELSE raw.role
    END,
    device = coalesce(
        TRY_CAST(regexp_extract(l.label, 'NPU (\d+)', 1) AS BIGINT),
        -- The number of a lane ends with that of the device, in five bits.
        TRY_CAST(raw.pid AS BIGINT) % 32
    ),
    stream = TRY_CAST(regexp_extract(l.thread, '^Stream (\d+)$', 1) AS BIGINT)
FROM (
    SELECT r.rowid AS row, l.process, l.label, t.thread
    FROM stage.raw AS r
    JOIN stage.lanes AS l ON l.pid = r.pid
    LEFT JOIN stage.lane_threads AS t ON t.pid = r.pid AND t.tid = r.tid
) AS l
WHERE raw.rowid = l.row;

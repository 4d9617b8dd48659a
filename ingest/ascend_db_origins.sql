-- Where each launch was made: the operator's thread where one is known, since a queue hands its
-- launches to another thread, and later; else the launch call itself.
CREATE TABLE stage.origins AS
SELECT
    coalesce(o.connectionId, l.connectionId) AS connectionId,
    coalesce(l.start_ns, o.start_ns) AS launch_ns,
    coalesce(regexp_matches(l.name, '(?i)aclmdl(RI)?Execute'), false) AS replay,
    o.name AS host_op,
    coalesce(o.start_ns, l.start_ns) AS moment,
    coalesce(o.globalTid, l.globalTid) AS globalTid
FROM stage.host_ops AS o
FULL JOIN stage.launch_calls AS l ON l.connectionId = o.connectionId;
DROP TABLE stage.host_ops;
DROP TABLE stage.launch_calls;

-- The step that holds each origin, if any.
CREATE TABLE stage.origin_steps AS
SELECT c.connectionId,
    CASE WHEN c.moment < t.end_ns THEN t.context_no END AS thread_step,
    CASE WHEN c.moment < a.end_ns THEN a.context_no END AS timed_step,
    CASE WHEN c.moment < p.end_ns THEN p.context_no END AS process_step
FROM (
    SELECT connectionId, moment, CAST(globalTid >> 32 AS VARCHAR) AS pid,
        CAST(globalTid & 4294967295 AS VARCHAR) AS tid
    FROM stage.origins WHERE EXISTS (FROM stage.contexts)
) AS c
ASOF LEFT JOIN stage.thread_steps AS t
    ON t.pid = c.pid AND t.tid = c.tid AND t.start_ns <= c.moment
ASOF LEFT JOIN (
    SELECT start_ns, end_ns, context_no FROM stage.process_steps WHERE pid = ''
) AS a ON a.start_ns <= c.moment
ASOF LEFT JOIN stage.process_steps AS p ON p.pid = c.pid AND p.start_ns <= c.moment;

CREATE TABLE stage.first_launch AS
SELECT min(l.start_ns) AS start_ns
FROM stage.launches AS l SEMI JOIN stage.origins AS o ON o.connectionId = l.connectionId;

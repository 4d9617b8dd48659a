-- What each kernel of the replays was at its capture, as far as all graphs agree that it can be a
-- replay of.
CREATE TEMP TABLE wanted AS
SELECT DISTINCT wanted_no, pattern_no, tokens, requests, place, pieces FROM replays;

-- Of the graphs of the same names the one of the same place, where a step has as many replays as
-- its capture has graphs.
CREATE TEMP TABLE candidates AS
SELECT w.wanted_no, m.match_no, g.graph_no, g.size,
    CASE WHEN g.of_tokens THEN w.tokens ELSE w.requests END AS load
FROM wanted AS w
JOIN stage.capture_matches AS m ON m.pattern_no = w.pattern_no
JOIN capture_sequences AS s ON s.sequence_no = m.sequence_no
JOIN stage.capture_graphs AS g
    ON g.graph_no = s.graph_no AND g.place = w.place AND g.pieces = w.pieces;
INSERT INTO candidates
SELECT w.wanted_no, m.match_no, g.graph_no, g.size,
    CASE WHEN g.of_tokens THEN w.tokens ELSE w.requests END AS load
FROM wanted AS w
JOIN stage.capture_matches AS m ON m.pattern_no = w.pattern_no
JOIN capture_sequences AS s ON s.sequence_no = m.sequence_no
JOIN stage.capture_graphs AS g ON g.graph_no = s.graph_no
WHERE w.wanted_no NOT IN (SELECT wanted_no FROM candidates);

-- A step runs the smallest captured size that holds its load. Where that is not told, or no size
-- that was found holds it, shapes count only if they are the same in every size.
CREATE TEMP TABLE told AS
SELECT c.wanted_no, l.position, c.smallest IS NOT NULL OR max(c.load) IS NULL AS sized,
    CASE WHEN min(n.op) = max(n.op) AND count(n.op) = count(*) THEN min(n.op) END AS op,
    CASE WHEN min(n.shape) = max(n.shape) AND count(n.shape) = count(*)
        AND min(n.op) = max(n.op) THEN min(n.shape) END AS shape,
    CASE WHEN min(n.dtype) = max(n.dtype) AND count(n.dtype) = count(*)
        AND min(n.op) = max(n.op) THEN min(n.dtype) END AS dtype,
    count(n.shape) > 0 AS has_shape
FROM (
    SELECT *, min(size) FILTER (WHERE size >= load) OVER (PARTITION BY wanted_no) AS smallest
    FROM candidates
) AS c
JOIN stage.capture_pairs AS l ON l.match_no = c.match_no
JOIN stage.capture_launches AS n ON n.graph_no = c.graph_no AND n.launch_no = l.launch_no
WHERE c.smallest IS NULL OR c.size = c.smallest
GROUP BY c.wanted_no, l.position, c.smallest;

INSERT INTO stage.trust
SELECT 'limited', reason, events
FROM (
    SELECT 'graph replays that match no capture' AS reason, count(*) AS events
    FROM replays
    WHERE wanted_no NOT IN (SELECT wanted_no FROM told)
    UNION ALL
    SELECT 'captured graphs whose kernels are not named, which no replay can match',
        count(DISTINCT graph_no)
    FROM stage.capture_launches WHERE name IS NULL
    UNION ALL
    SELECT 'graph replays of which no capture is certain, so that shapes are missing', count(*)
    FROM replays
    WHERE wanted_no IN (
        SELECT wanted_no FROM told WHERE has_shape AND (shape IS NULL OR NOT sized)
    )
)
WHERE events > 0;

-- Into a new table: changed in place, the rows would stay in memory.
CREATE TABLE stage.work_told AS
SELECT w.* REPLACE (
    coalesce(w.op, t.op) AS op,
    coalesce(w.host_op, t.op) AS host_op,
    CASE WHEN t.sized AND t.shape IS NOT NULL THEN t.shape ELSE w.shape END AS shape,
    CASE WHEN t.sized AND t.shape IS NOT NULL THEN 'capture' ELSE w.shape_source END
        AS shape_source,
    CASE WHEN t.sized THEN coalesce(w.dtype, t.dtype) ELSE w.dtype END AS dtype
)
FROM stage.work AS w
LEFT JOIN (
    SELECT k.work_row, k.position, r.wanted_no
    FROM replayed AS k JOIN replays AS r ON r.correlation = k.correlation
) AS k ON k.work_row = w.rowid
LEFT JOIN told AS t ON t.wanted_no = k.wanted_no AND t.position = k.position;
DROP TABLE stage.work;
ALTER TABLE stage.work_told RENAME TO work;

DROP TABLE capture_names;
DROP TABLE capture_sequences;
DROP TABLE replayed;
DROP TABLE replays;
DROP TABLE wanted;
DROP TABLE candidates;
DROP TABLE told;

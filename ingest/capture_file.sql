-- Takes the captured graphs from one trace of them, which stands in stage.raw.
INSERT INTO stage.capture_ledger
SELECT f.file, coalesce(r.cat, '(ph ' || coalesce(r.ph, 'none') || ')') AS category, count(*)
FROM stage.raw AS r CROSS JOIN stage.capture_file AS f
GROUP BY f.file, category;

-- Annotations: capture_32_FULL, capture_32_PIECEWISE, capture_32_draft_FULL, capture_32_DECODE,
-- capture_graph_bs_32. Sizes of vLLM, which names its mode, are tokens, all others requests.
-- Without any, the whole trace is one of the size that its name tells.
CREATE TEMP TABLE spans AS
SELECT pid, ts AS starts, ts + dur AS ends,
    TRY_CAST(regexp_extract(name, '\d+') AS BIGINT) AS size,
    regexp_matches(name, '_(FULL|PIECEWISE)$') AS of_tokens
FROM stage.raw
WHERE role IN ('annotation', 'op') AND ph = 'X' AND dur > 0
    AND regexp_matches(name, '^capture_(graph_bs_)?\d+(_\w+)?$');
INSERT INTO spans
SELECT r.pid, min(r.ts), max(r.ts + greatest(coalesce(r.dur, 0), 0)) + 1, any_value(f.size),
    false
FROM stage.raw AS r CROSS JOIN stage.capture_file AS f
WHERE r.role = 'runtime' AND r.ts IS NOT NULL AND NOT EXISTS (SELECT 1 FROM spans)
GROUP BY r.pid;

-- A graph lies between two calls: cudaStreamBeginCapture and the next cudaStreamEndCapture.
CREATE TEMP TABLE marks AS
SELECT b.pid, max(b.starts) AS starts, e.ts AS ends
FROM (
    SELECT pid, tid, ts + greatest(coalesce(dur, 0), 0) AS starts
    FROM stage.raw WHERE role = 'runtime' AND ph = 'X' AND name ILIKE '%StreamBeginCapture%'
) AS b
ASOF JOIN (
    SELECT pid, tid, ts FROM stage.raw
    WHERE role = 'runtime' AND ph = 'X' AND name ILIKE '%StreamEndCapture%'
) AS e ON b.pid = e.pid AND b.tid = e.tid AND b.starts <= e.ts
GROUP BY b.pid, b.tid, e.ts;

CREATE TEMP TABLE graphs AS
SELECT
    (SELECT coalesce(max(graph_no), 0) FROM stage.capture_graphs)
        + row_number() OVER (ORDER BY pid, starts) AS graph_no,
    pid, starts, ends, size, of_tokens, marked,
    CASE WHEN marked AND span IS NOT NULL
        THEN row_number() OVER (PARTITION BY pid, span ORDER BY starts) END AS place,
    CASE WHEN marked AND span IS NOT NULL THEN count(*) OVER (PARTITION BY pid, span) END AS pieces
FROM (
    SELECT m.pid, m.starts, m.ends, CASE WHEN m.ends <= s.ends THEN s.starts END AS span,
        CASE WHEN m.ends <= s.ends THEN s.size END AS size, s.of_tokens, true AS marked
    FROM marks AS m
    ASOF LEFT JOIN spans AS s ON s.pid = m.pid AND s.starts <= m.starts
    UNION ALL
    SELECT s.pid, s.starts, s.ends, s.starts, s.size, s.of_tokens, false
    FROM spans AS s
    WHERE NOT EXISTS (
        SELECT 1 FROM marks AS m
        WHERE m.pid = s.pid AND m.starts >= s.starts AND m.ends <= s.ends
    )
) AS g;

-- Every call that starts device work, with the graph that it was captured into. One call may be
-- recorded by the runtime and by the driver.
CREATE TEMP TABLE captured AS
SELECT c.*, CASE WHEN c.ts < g.ends THEN g.graph_no END AS graph_no
FROM (
    SELECT rowid AS call_row, pid, tid, ts, name, correlation, external_id,
        json_extract_string(args, '$.kernel') AS kernel
    FROM stage.raw
    WHERE role = 'runtime' AND ph = 'X' AND ts IS NOT NULL
        AND regexp_matches(name, 'launch|memcpy|memset', 'i')
        AND NOT regexp_matches(name, 'LaunchHostFunc|GraphLaunch', 'i')
    QUALIFY row_number() OVER (PARTITION BY coalesce(correlation, -rowid) ORDER BY ts, rowid) = 1
) AS c
ASOF LEFT JOIN graphs AS g ON g.pid = c.pid AND g.starts <= c.ts;

-- The innermost operator, by its id, else the one that encloses the call. Each thread has a range
-- of its own on one axis, so that the join is by two inequalities alone.
CREATE TEMP TABLE ops AS
SELECT c.call_row, arg_max(o.rowid, o.ts) AS op_row
FROM captured AS c
JOIN stage.raw AS o
    ON o.external_id = c.external_id AND o.role = 'op' AND o.ph = 'X'
    AND o.pid = c.pid AND o.tid = c.tid AND o.ts <= c.ts AND c.ts < o.ts + o.dur
GROUP BY c.call_row;
CREATE TEMP TABLE axis AS
SELECT pid, tid, row_number() OVER (ORDER BY pid, tid) * span - least AS shift
FROM (SELECT DISTINCT pid, tid FROM captured)
CROSS JOIN (
    SELECT min(ts) AS least, max(ts + greatest(coalesce(dur, 0), 0)) - min(ts) + 1 AS span
    FROM stage.raw WHERE role IN ('op', 'runtime')
);
INSERT INTO ops
SELECT c.call_row, arg_max(o.op_row, o.starts)
FROM (
    SELECT d.call_row, d.ts + a.shift AS at
    FROM captured AS d JOIN axis AS a ON a.pid = d.pid AND a.tid = d.tid
    ANTI JOIN ops AS done ON done.call_row = d.call_row
) AS c
JOIN (
    SELECT r.rowid AS op_row, r.ts + a.shift AS starts, r.ts + r.dur + a.shift AS ends
    FROM stage.raw AS r JOIN axis AS a ON a.pid = r.pid AND a.tid = r.tid
    WHERE r.role = 'op' AND r.ph = 'X' AND r.dur > 0
) AS o ON o.starts <= c.at AND c.at < o.ends
GROUP BY c.call_row;

-- Names: on ROCm the call tells its kernel. On CUDA it does not; then a kernel that was run
-- outside of a graph does, or the operator of a Triton kernel, or the same operator with the same
-- inputs where it was run in a warm-up.
CREATE TEMP TABLE named AS
SELECT c.graph_no, c.call_row, c.ts, o.name AS op,
    json_extract(o.args, '$."Input Dims"') AS dims,
    json_extract(o.args, '$."Input type"') AS dtypes,
    CASE WHEN o.name IS NOT NULL THEN hash(
        o.name, json_extract(o.args, '$."Input Dims"'), json_extract(o.args, '$."Input type"'),
        json_extract(o.args, '$."Input Strides"'), json_extract(o.args, '$."Concrete Inputs"'),
        row_number() OVER (PARTITION BY p.op_row ORDER BY c.ts, c.call_row)
    ) END AS alike,
    CASE
        WHEN c.name ILIKE '%memcpy%' THEN 'memcpy'
        WHEN c.name ILIKE '%memset%' THEN 'memset'
        ELSE bare_name(coalesce(
            c.kernel, w.name, json_extract_string(o.args, '$.kernel_name'),
            CASE WHEN json_extract_string(o.args, '$.kernel_backend') = 'triton' THEN o.name END
        ))
    END AS name
FROM captured AS c
LEFT JOIN ops AS p ON p.call_row = c.call_row
LEFT JOIN stage.raw AS o ON o.rowid = p.op_row
LEFT JOIN (
    SELECT correlation, any_value(name) AS name
    FROM stage.raw WHERE role = 'work' AND correlation IS NOT NULL
    GROUP BY correlation HAVING count(*) = 1
) AS w ON w.correlation = c.correlation;

INSERT INTO stage.capture_graphs
SELECT graph_no, size, of_tokens, place, pieces, marked FROM graphs;
INSERT INTO stage.capture_launches
SELECT n.graph_no, row_number() OVER (PARTITION BY n.graph_no ORDER BY n.ts, n.call_row) - 1,
    coalesce(n.name, l.name), n.op,
    replace(replace(replace(n.dims, '],[', ';'), '[', ''), ']', ''),
    replace(n.dtypes[3:-3], '","', ';')
FROM named AS n
LEFT JOIN (
    SELECT alike, min(name) AS name FROM named
    WHERE name IS NOT NULL AND alike IS NOT NULL
    GROUP BY alike HAVING count(DISTINCT name) = 1
) AS l ON l.alike = n.alike
WHERE n.graph_no IS NOT NULL;

DROP TABLE spans;
DROP TABLE marks;
DROP TABLE graphs;
DROP TABLE captured;
DROP TABLE ops;
DROP TABLE axis;
DROP TABLE named;
TRUNCATE stage.capture_file;
CREATE OR REPLACE TABLE stage.raw AS FROM stage.raw WITH NO DATA;

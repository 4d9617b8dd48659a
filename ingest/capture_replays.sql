-- The kernels of every replay of which the trace itself does not tell the operators, in their
-- order: by node of the graph where all of them tell it, else by time on each stream.
CREATE TEMP TABLE replayed AS
SELECT k.work_row, k.correlation, n.name_no,
    CASE WHEN k.by_node THEN 0 ELSE dense_rank() OVER (
        PARTITION BY k.correlation ORDER BY k.device, k.stream
    ) END AS stream_no,
    row_number() OVER (
        PARTITION BY k.correlation
        ORDER BY CASE WHEN k.by_node THEN k.graph_node_id END,
            CASE WHEN NOT k.by_node THEN k.device END, CASE WHEN NOT k.by_node THEN k.stream END,
            k.start_ns, k.work_row
    ) - 1 AS position
FROM (
    SELECT rowid AS work_row, correlation, device, stream, start_ns, graph_node_id,
        count(*) OVER of_replay = count(graph_node_id) OVER of_replay AS by_node,
        count(op) OVER of_replay AS told,
        -- On ROCm a copy or a fill of a graph is a kernel of the runtime.
        CASE
            WHEN kind = 'memcpy' OR starts_with(name, '__amd_rocclr_copyBuffer') THEN 'memcpy'
            WHEN kind = 'memset' OR starts_with(name, '__amd_rocclr_fillBuffer') THEN 'memset'
            ELSE bare_name(name)
        END AS name
    FROM stage.work
    WHERE graph_replay AND correlation IS NOT NULL
    WINDOW of_replay AS (PARTITION BY correlation)
) AS k
LEFT JOIN capture_names AS n ON n.name = k.name
WHERE k.told = 0;

-- Replays, with tokens and requests of their step, and their place among its replays if there is a
-- capture in as many pieces. Those that are alike in all of it are judged together.
CREATE TEMP TABLE replays AS
SELECT *, dense_rank() OVER (ORDER BY pattern_no, tokens, requests, place, pieces) AS wanted_no
FROM (
    SELECT p.* EXCLUDE (place, pieces), g.pieces, CASE WHEN g.pieces > 0 THEN p.place END AS place
    FROM (
        SELECT r.correlation, r.pattern_no, c.tokens, c.requests,
            CASE WHEN c.context_no IS NOT NULL THEN row_number() OVER (
                PARTITION BY c.context_no ORDER BY r.launch_ns, r.correlation
            ) END AS place,
            CASE WHEN c.context_no IS NOT NULL THEN count(*) OVER (PARTITION BY c.context_no) END
                AS pieces
        FROM (
            SELECT correlation, context_no, launch_ns,
                min(correlation) OVER (PARTITION BY signature, kernels) AS pattern_no
            FROM (
                SELECT k.correlation, any_value(w.context_no) AS context_no,
                    min(w.launch_ns) AS launch_ns, count(*) AS kernels,
                    sum(hash(k.stream_no, k.position, coalesce(k.name_no, 0))) AS signature
                FROM replayed AS k JOIN stage.work AS w ON w.rowid = k.work_row
                GROUP BY k.correlation
            ) AS one
        ) AS r
        LEFT JOIN (
            SELECT context_no,
                coalesce(padded_requests, context_tokens + generation_tokens) AS tokens,
                coalesce(padded_requests, context_requests + generation_requests) AS requests
            FROM stage.contexts
        ) AS c ON c.context_no = r.context_no
    ) AS p
    LEFT JOIN (SELECT DISTINCT pieces FROM stage.capture_graphs) AS g ON g.pieces = p.pieces
) AS placed;

SELECT correlation AS pattern_no, list(coalesce(name_no, 0) ORDER BY position) AS names,
    list(stream_no ORDER BY position) AS streams
FROM replayed
WHERE correlation IN (SELECT pattern_no FROM replays)
GROUP BY correlation
HAVING count(*) = count(name_no);

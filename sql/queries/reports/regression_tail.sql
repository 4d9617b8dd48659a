-- The slowest launch of the candidate in the shape groups that lost the most: when, where, beside
-- what; and p99 of its exact shape.
WITH lost AS (
    SELECT *, row_number() OVER (ORDER BY lost_ms DESC, phase, op, kernel, shape) AS place
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND lost_ms > 0
        AND ($phase IS NULL OR phase = $phase)
),
slowest AS (
    SELECT
        l.phase, l.op, l.kernel, l.shape, l.tokens_low, l.place, s.tokens,
        s.launches >= $tail_launches AS p99_told,
        s.p50_us, s.p99_us, s.max_us, t.since_ms, t.position, t.idle_before_us, t.first_of_shape,
        t.beside, t.beside_us, t.beside_op, t.stream, t.context_id,
        row_number() OVER (
            PARTITION BY l.place ORDER BY t.dur_us DESC, t.start_ns
        ) AS turn
    FROM lost AS l
    JOIN shape_stats_v1 AS s
        ON s.phase = l.phase AND s.op = l.op AND s.kernel = l.kernel
        AND (s.tokens BETWEEN l.tokens_low AND l.tokens_high
            OR s.tokens IS NULL AND l.tokens_low IS NULL)
        AND l.shape = s.pattern
    JOIN tail_v1 AS t
        ON t.phase = s.phase AND t.op = s.op AND t.kernel = s.kernel AND t.shape = s.shape
    WHERE s.label = $cand AND s.rank = $rank AND t.label = $cand AND t.rank = $rank
        AND t.place = 1 AND l.place <= $tail_rows
)
SELECT * FROM slowest WHERE turn = 1 ORDER BY place;

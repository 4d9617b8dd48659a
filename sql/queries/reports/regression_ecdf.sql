-- How the durations of some shape groups are spread on both sides: up to which duration each
-- hundredth of the launches goes (up_to_us, from the shortest to the 99th). The lists of focus
-- name the groups, one element each. Shapes are told apart by the token count; the rest of a shape
-- is the group's.
WITH asked AS (
    SELECT
        unnest(range(1, len($focus_op) + 1)) AS place,
        unnest(CAST($focus_phase AS VARCHAR[])) AS phase,
        unnest(CAST($focus_op AS VARCHAR[])) AS op,
        unnest(CAST($focus_kernel AS VARCHAR[])) AS kernel,
        unnest(CAST($focus_shape AS VARCHAR[])) AS shape,
        unnest(CAST($focus_tokens_low AS BIGINT[])) AS tokens_low
),
groups AS (
    SELECT a.place, g.phase, g.op, g.kernel, g.shape, g.tokens_low, g.tokens_high
    FROM group_diff_v1 AS g
    JOIN asked AS a
        ON a.phase = g.phase AND a.op = g.op AND a.kernel = g.kernel AND a.shape = g.shape
        AND a.tokens_low IS NOT DISTINCT FROM g.tokens_low
    WHERE g.base = $base AND g.cand = $cand AND g.rank = $rank
),
shapes AS (
    SELECT phase, op, kernel, shape, tokens, pattern FROM shape_stats_v1
    WHERE label = $base AND rank = $rank
    UNION
    SELECT phase, op, kernel, shape, tokens, pattern FROM shape_stats_v1
    WHERE label = $cand AND rank = $rank
),
members AS (
    SELECT DISTINCT g.place, g.phase, g.op, g.kernel, g.tokens_low, g.tokens_high, s.shape AS exact
    FROM groups AS g
    JOIN shapes AS s
        ON s.phase = g.phase AND s.op = g.op AND s.kernel = g.kernel
        AND (s.tokens BETWEEN g.tokens_low AND g.tokens_high
            OR s.tokens IS NULL AND g.tokens_low IS NULL)
        AND g.shape = s.pattern
),
names AS (
    SELECT DISTINCT name, coalesce(stable_name, name) AS kernel FROM kernel_names
),
launches AS (
    SELECT 'base' AS side, * FROM kernel_events_v1 WHERE label = $base AND rank = $rank
    UNION ALL
    SELECT 'cand' AS side, * FROM kernel_events_v1 WHERE label = $cand AND rank = $rank
)
SELECT
    m.place, l.side, m.phase, m.op, m.kernel, m.tokens_low, m.tokens_high,
    count(*) AS launches, max(l.dur_ns) / 1e3 AS max_us,
    quantile_cont(l.dur_ns / 1e3, 0.5) AS p50_us,
    quantile_cont(l.dur_ns / 1e3, [i / 100 FOR i IN range(0, 100)]) AS up_to_us
FROM launches AS l
JOIN names AS n ON n.name = l.kernel
JOIN members AS m
    ON m.phase = l.phase AND m.op = l.op AND m.kernel = n.kernel AND m.exact = l.shape
GROUP BY ALL
ORDER BY m.place, l.side;

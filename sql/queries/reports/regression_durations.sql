-- The single durations per pass of the shape groups that both runs have, of those with $mode_share
-- of a side's device time or more and at most $mode_launches launches: where two modes are looked
-- for. Shapes are told apart by the token count; the rest of a shape is the group's. Sides are those
-- of regression_cells.
WITH groups AS (
    SELECT
        *, base_total_ms / nullif(sum(base_total_ms) OVER (), 0) AS base_share,
        cand_total_ms / nullif(sum(cand_total_ms) OVER (), 0) AS cand_share
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank
),
shapes AS (
    SELECT phase, op, kernel, shape, tokens, pattern FROM shape_stats_v1
    WHERE label = $base AND rank = $rank
    UNION
    SELECT phase, op, kernel, shape, tokens, pattern FROM shape_stats_v1
    WHERE label = $cand AND rank = $rank
    UNION
    SELECT phase, op, kernel, shape, tokens, pattern FROM shape_stats_v1
    WHERE list_contains($noise, label) AND rank = $rank
),
members AS (
    SELECT DISTINCT
        g.phase, g.op, g.kernel, g.shape, g.tokens_low, s.tokens, s.shape AS exact
    FROM groups AS g
    JOIN shapes AS s
        ON s.phase = g.phase AND s.op = g.op AND s.kernel = g.kernel
        AND (s.tokens BETWEEN g.tokens_low AND g.tokens_high
            OR s.tokens IS NULL AND g.tokens_low IS NULL)
        AND g.shape = s.pattern
    WHERE g.base_launches > 0 AND g.cand_launches > 0
        AND greatest(g.base_share, g.cand_share) >= $mode_share
        AND greatest(g.base_launches, g.cand_launches) <= $mode_launches
        AND ($phase IS NULL OR g.phase = $phase)
),
passes AS (
    SELECT context_id FROM context_time_v1 WHERE label = $base AND rank = $rank AND complete
    UNION
    SELECT context_id FROM context_time_v1 WHERE label = $cand AND rank = $rank AND complete
    UNION
    SELECT context_id FROM context_time_v1
    WHERE list_contains($noise, label) AND rank = $rank AND complete
),
names AS (
    SELECT DISTINCT name, coalesce(stable_name, name) AS kernel FROM kernel_names
),
launches AS (
    SELECT 'base' AS side, * FROM kernel_events_v1 WHERE label = $base AND rank = $rank
    UNION ALL
    SELECT 'cand' AS side, * FROM kernel_events_v1 WHERE label = $cand AND rank = $rank
    UNION ALL
    SELECT 'noise ' || label AS side, *
    FROM kernel_events_v1
    WHERE list_contains($noise, label) AND rank = $rank
)
SELECT
    l.side, m.phase, m.op, m.kernel, m.shape, m.tokens_low, m.tokens, l.context_id,
    list(l.dur_ns ORDER BY l.start_ns) AS durations
FROM launches AS l
JOIN passes AS p ON p.context_id = l.context_id
JOIN names AS n ON n.name = l.kernel
JOIN members AS m
    ON m.phase = l.phase AND m.op = l.op AND m.kernel = n.kernel AND m.exact = l.shape
GROUP BY l.side, m.phase, m.op, m.kernel, m.shape, m.tokens_low, m.tokens, l.context_id
ORDER BY ALL;

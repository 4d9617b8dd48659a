-- Per complete pass and shape group what it took. A pass with several token counts of one group
-- counts with the mean of their medians, weighed by launches. A side is base, cand, or the label of
-- a repeated run of the base ('noise ' before it); share is that of the group in the time of its passes.
WITH groups AS (
    SELECT phase, op, kernel, shape, tokens_low, tokens_high
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
cells AS (
    SELECT 'base' AS side, * FROM pass_cells_v1 WHERE label = $base AND rank = $rank
    UNION ALL
    SELECT 'cand' AS side, * FROM pass_cells_v1 WHERE label = $cand AND rank = $rank
    UNION ALL
    SELECT 'noise ' || label AS side, *
    FROM pass_cells_v1
    WHERE list_contains($noise, label) AND rank = $rank
)
SELECT
    c.side, g.phase, g.op, g.kernel, g.shape, g.tokens_low, c.context_id,
    CAST(sum(c.launches) AS BIGINT) AS launches,
    CAST(round(sum(c.total_ms) * 1e6) AS BIGINT) AS total_ns,
    sum(c.launches * c.p50_us) / sum(c.launches) * 1e3 AS p50_ns,
    sum(c.total_ms) / sum(c.launches) * 1e6 AS mean_ns,
    sum(sum(c.total_ms)) OVER (
        PARTITION BY c.side, g.phase, g.op, g.kernel, g.shape, g.tokens_low
    ) / nullif(sum(sum(c.total_ms)) OVER (PARTITION BY c.side), 0) AS share
FROM cells AS c
JOIN groups AS g
    ON g.phase = c.phase AND g.op = c.op AND g.kernel = c.kernel AND g.shape = c.shape
    AND (c.tokens BETWEEN g.tokens_low AND g.tokens_high
        OR c.tokens IS NULL AND g.tokens_low IS NULL)
GROUP BY
    c.side, g.phase, g.op, g.kernel, g.shape, g.tokens_low, c.context_id
ORDER BY ALL;

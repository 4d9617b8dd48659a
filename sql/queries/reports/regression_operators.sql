-- The operators with the most time on either side, over the phases asked for.
WITH sides AS (
    SELECT 'base' AS side, op, launches, total_ms, run_share FROM op_time_v1
    WHERE label = $base AND rank = $rank AND ($phase IS NULL OR phase = $phase)
    UNION ALL
    SELECT 'cand', op, launches, total_ms, run_share FROM op_time_v1
    WHERE label = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
ops AS (
    SELECT
        side, op, CAST(sum(launches) AS BIGINT) AS launches,
        sum(CAST(total_ms AS DECIMAL(18, 6))) AS total_ms, sum(run_share) AS run_share
    FROM sides
    GROUP BY side, op
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY side ORDER BY total_ms DESC, op) AS place
    FROM ops
)
SELECT
    op, max(place) FILTER (WHERE side = 'base') AS base_place,
    max(place) FILTER (WHERE side = 'cand') AS cand_place,
    max(launches) FILTER (WHERE side = 'base') AS base_launches,
    max(launches) FILTER (WHERE side = 'cand') AS cand_launches,
    max(total_ms) FILTER (WHERE side = 'base') AS base_total_ms,
    max(total_ms) FILTER (WHERE side = 'cand') AS cand_total_ms,
    max(run_share) FILTER (WHERE side = 'base') AS base_share,
    max(run_share) FILTER (WHERE side = 'cand') AS cand_share
FROM ranked
GROUP BY op
HAVING min(place) <= 10
ORDER BY max(total_ms) DESC, op;

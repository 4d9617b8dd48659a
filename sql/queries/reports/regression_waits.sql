-- Communication of both runs over their ranks, per launch: the quickest rank needs only the
-- transfer, what others take beyond it is waiting.
WITH sides AS (
    SELECT 'base' AS side, * FROM rank_skew_v1 WHERE label = $base
    UNION ALL
    SELECT 'cand' AS side, * FROM rank_skew_v1 WHERE label = $cand
)
SELECT
    phase, op, shape, message_bytes, max(ranks) AS ranks,
    max(quick_us) FILTER (WHERE side = 'base') AS base_transfer_us,
    max(quick_us) FILTER (WHERE side = 'cand') AS cand_transfer_us,
    max(slow_us) FILTER (WHERE side = 'base') AS base_slow_us,
    max(slow_us) FILTER (WHERE side = 'cand') AS cand_slow_us,
    max(slow_rank) FILTER (WHERE side = 'cand') AS slow_rank,
    sum(wait_ms) FILTER (WHERE side = 'base') AS base_wait_ms,
    sum(wait_ms) FILTER (WHERE side = 'cand') AS cand_wait_ms
FROM sides
WHERE wait_ms IS NOT NULL AND ($phase IS NULL OR phase = $phase)
GROUP BY phase, op, shape, message_bytes
HAVING count(DISTINCT side) = 2
ORDER BY cand_wait_ms DESC, phase, op, shape, message_bytes
LIMIT 5;

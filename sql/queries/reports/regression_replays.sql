-- Kernels without shapes in replayed graphs that both runs have, per phase and padded batch: all
-- their places together, how many changed beyond $floor, and the place that moved most.
WITH places AS (
    SELECT
        *, row_number() OVER (
            PARTITION BY phase, batch, kernel ORDER BY abs(lost_ms) DESC, position
        ) AS turn
    FROM replay_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
        AND base_launches > 0 AND cand_launches > 0
)
SELECT
    phase, batch, kernel, count(*) AS places,
    count(*) FILTER (WHERE p50_change > $floor) AS places_slower,
    count(*) FILTER (WHERE p50_change < -$floor) AS places_faster,
    CAST(sum(base_launches) AS BIGINT) AS base_launches,
    CAST(sum(cand_launches) AS BIGINT) AS cand_launches,
    sum(lost_ms) AS lost_ms,
    max(position) FILTER (WHERE turn = 1) AS position,
    max(base_p50_us) FILTER (WHERE turn = 1) AS base_p50_us,
    max(cand_p50_us) FILTER (WHERE turn = 1) AS cand_p50_us,
    max(p50_change) FILTER (WHERE turn = 1) AS p50_change
FROM places
GROUP BY phase, batch, kernel
ORDER BY abs(sum(lost_ms)) DESC, phase, batch, kernel
LIMIT 10;

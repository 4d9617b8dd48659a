-- Operators whose pooled figures mislead: some part of them moves against the mean of all, or the
-- mix has 5 % of their time; with the parts of their phases. Of $mode_share of a run or more.
WITH ops AS (
    SELECT
        *, base_total_ms / nullif(sum(base_total_ms) FILTER (WHERE phase = 'all') OVER (), 0)
            AS base_share,
        cand_total_ms / nullif(sum(cand_total_ms) FILTER (WHERE phase = 'all') OVER (), 0)
            AS cand_share
    FROM op_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank
),
misled AS (
    SELECT
        op, simpson,
        CASE WHEN greatest(base_total_ms, cand_total_ms) < 10 THEN 1000 ELSE 1 END AS scale,
        CASE WHEN greatest(base_total_ms, cand_total_ms) < 10 THEN 'µs' ELSE 'ms' END AS unit,
        row_number() OVER (
            ORDER BY simpson DESC, abs(mix_effect_ms) DESC, op
        ) AS place
    FROM ops
    WHERE phase = coalesce($phase, 'all') AND base_launches > 0 AND cand_launches > 0
        AND greatest(base_share, cand_share) >= $mode_share
        AND (simpson OR abs(mix_effect_ms) >= 0.05 * greatest(base_total_ms, cand_total_ms))
)
SELECT
    o.phase, o.op, m.place, o.phase = coalesce($phase, 'all') AS whole, m.simpson AS misleads,
    o.base_launches, o.cand_launches, o.base_mean_us, o.cand_mean_us,
    o.cand_mean_us / nullif(o.base_mean_us, 0) - 1 AS mean_change, m.unit,
    m.scale * o.base_total_ms AS base_total, m.scale * o.cand_total_ms AS cand_total,
    m.scale * o.difference_ms AS difference, m.scale * o.count_effect_ms AS count_effect,
    m.scale * o.mix_effect_ms AS mix_effect, m.scale * o.within_effect_ms AS within_effect,
    m.scale * o.new_ms AS new_time, m.scale * o.gone_ms AS gone_time
FROM ops AS o
JOIN misled AS m ON m.op = o.op
WHERE m.place <= 5 AND ($phase IS NULL OR o.phase = $phase)
ORDER BY m.place, whole DESC, o.phase;

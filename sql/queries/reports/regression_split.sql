-- The difference of all operators together: count, mix and within. still: no shape group that both
-- have moved, up to a thousandth of their time; all_mix: a hundredth of the difference is no mix.
WITH sums AS (
    SELECT
        sum(difference_ms) AS difference_ms, sum(count_effect_ms) AS count_ms,
        sum(mix_effect_ms) AS mix_ms, sum(within_effect_ms) AS within_ms,
        greatest(sum(base_total_ms), sum(cand_total_ms)) AS total_ms
    FROM op_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND phase = coalesce($phase, 'all')
),
moved AS (
    SELECT sum(abs(lost_ms)) AS moved_ms, sum(cand_total_ms) FILTER (WHERE lost_ms IS NOT NULL)
        AS paired_ms
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
scaled AS (
    SELECT *, CASE WHEN total_ms < 10 THEN 1000 ELSE 1 END AS scale
    FROM sums CROSS JOIN moved
)
SELECT
    CASE scale WHEN 1000 THEN 'µs' ELSE 'ms' END AS unit,
    scale * difference_ms AS difference, scale * count_ms AS count_effect,
    scale * mix_ms AS mix_effect, scale * within_ms AS within_effect,
    coalesce(moved_ms <= 0.001 * paired_ms, FALSE) AS still,
    coalesce(abs(difference_ms) > 0
        AND abs(count_ms) + abs(within_ms) <= 0.01 * abs(difference_ms), FALSE) AS all_mix
FROM scaled;

-- The difference of all operators together, and its part within shape groups. still: no group that
-- both have moved, up to a thousandth of their time; all_mix: then, where every operator has as
-- many launches on either side, nothing but the mix of shapes is left to make the difference.
WITH ops AS (
    SELECT
        op, coalesce(sum(cand_total_ms), 0) - coalesce(sum(base_total_ms), 0) AS difference_ms,
        coalesce(sum(base_launches), 0) = coalesce(sum(cand_launches), 0) AS as_many,
        sum(lost_ms) AS within_ms, sum(abs(lost_ms)) AS moved_ms,
        sum(cand_total_ms) FILTER (WHERE lost_ms IS NOT NULL) AS paired_ms,
        sum(cand_total_ms) AS total_ms
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
    GROUP BY op
),
summed AS (
    SELECT
        CASE WHEN sum(total_ms) < 10 THEN 1000 ELSE 1 END AS scale,
        sum(difference_ms) AS difference_ms, sum(within_ms) AS within_ms,
        coalesce(sum(moved_ms) <= 0.001 * sum(paired_ms), FALSE) AS still,
        coalesce(bool_and(as_many), FALSE) AS as_many
    FROM ops
)
SELECT
    CASE scale WHEN 1000 THEN 'µs' ELSE 'ms' END AS unit,
    scale * difference_ms AS difference, scale * within_ms AS within_effect, still,
    still AND as_many AND abs(difference_ms) > 100 * abs(within_ms) AS all_mix
FROM summed;

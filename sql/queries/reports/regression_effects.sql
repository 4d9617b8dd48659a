-- Why the operator `$headline_op` took more or less time, as the levels of a waterfall: from the
-- base's total over more or fewer launches (count), other shapes and phases (mix) and slower
-- launches of the same shapes (within) to the candidate's total.
WITH one AS (
    SELECT * FROM op_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND op = $headline_op
        AND phase = coalesce($phase, 'all')
),
levels AS (
    SELECT
        *, base_total_ms + count_effect_ms AS counted_ms,
        base_total_ms + count_effect_ms + mix_effect_ms AS mixed_ms
    FROM one
)
SELECT 1 AS place, 'base' AS part, op, phase, base_total_ms AS part_ms, 0.0 AS from_ms,
    base_total_ms AS to_ms
FROM levels
UNION ALL
SELECT 2, 'count', op, phase, count_effect_ms, base_total_ms, counted_ms FROM levels
UNION ALL
SELECT 3, 'mix', op, phase, mix_effect_ms, counted_ms, mixed_ms FROM levels
UNION ALL
SELECT 4, 'within', op, phase, within_effect_ms, mixed_ms, cand_total_ms FROM levels
UNION ALL
SELECT 5, 'cand', op, phase, cand_total_ms, 0.0, cand_total_ms FROM levels
ORDER BY place;

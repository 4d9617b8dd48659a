-- The exact shapes of the pooled groups with the largest losses and gains, with the tails of both
-- sides.
WITH pooled AS (
    SELECT *, row_number() OVER (ORDER BY abs(lost_ms) DESC, phase, op, kernel, shape) AS place
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND pooled AND lost_ms IS NOT NULL
        AND ($phase IS NULL OR phase = $phase)
)
SELECT
    g.phase, g.op, g.kernel, g.shape, g.tokens_low, s.tokens,
    s.base_launches, s.cand_launches, s.base_steps, s.cand_steps, s.base_mean_us, s.cand_mean_us,
    s.base_p50_us, s.cand_p50_us, s.mean_change, s.p50_change, s.base_p99_us, s.cand_p99_us,
    s.base_max_us, s.cand_max_us,
    s.base_launches >= $tail_launches OR s.base_launches IS NULL AS base_p99_told,
    s.cand_launches >= $tail_launches OR s.cand_launches IS NULL AS cand_p99_told
FROM pooled AS g
JOIN shape_diff_v1 AS s
    ON s.phase = g.phase AND s.op = g.op AND s.tokens BETWEEN g.tokens_low AND g.tokens_high
    AND coalesce(s.cand_kernel, s.base_kernel) = g.kernel
    AND g.shape = s.pattern
WHERE s.base = $base AND s.cand = $cand AND s.rank = $rank AND g.place <= $pooled_rows
ORDER BY g.place, s.tokens;

-- What the host of the candidate did more of: the calls that took most time more than in the base.
-- Calls per second, since windows differ in length.
WITH seconds AS (
    SELECT
        sum(window_ms) FILTER (WHERE label = $base) / 1e3 AS base_s,
        sum(window_ms) FILTER (WHERE label = $cand) / 1e3 AS cand_s
    FROM (
        SELECT label, rank, window_ms FROM run_summary_v1 WHERE label = $base
        UNION ALL
        SELECT label, rank, window_ms FROM run_summary_v1 WHERE label = $cand
    )
    WHERE rank = $rank
),
calls AS (
    SELECT * FROM api_diff_v1 WHERE base = $base AND cand = $cand AND rank = $rank
)
SELECT
    c.level, c.name, c.base_calls, c.cand_calls, c.base_total_ms, c.cand_total_ms,
    c.base_mean_us, c.cand_mean_us, c.more_ms, c.calls_effect_ms, c.mean_effect_ms,
    c.base_calls / nullif(s.base_s, 0) AS base_calls_per_s,
    c.cand_calls / nullif(s.cand_s, 0) AS cand_calls_per_s
FROM calls AS c
CROSS JOIN seconds AS s
WHERE c.more_ms > 0
    -- Only where both sides recorded their calls.
    AND EXISTS (SELECT 1 FROM calls WHERE base_calls IS NOT NULL)
    AND EXISTS (SELECT 1 FROM calls WHERE cand_calls IS NOT NULL)
ORDER BY c.more_ms DESC, c.level, c.name
LIMIT 5;

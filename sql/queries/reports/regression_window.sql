-- The windows of both sides on the rank that is compared.
WITH base AS (
    SELECT
        sum(window_ms) AS window_ms, CAST(sum(gpu_events) AS BIGINT) AS launches,
        sum(gpu_ms) AS gpu_ms
    FROM run_summary_v1
    WHERE label = $base AND rank = $rank
),
cand AS (
    SELECT
        sum(window_ms) AS window_ms, CAST(sum(gpu_events) AS BIGINT) AS launches,
        sum(gpu_ms) AS gpu_ms
    FROM run_summary_v1
    WHERE label = $cand AND rank = $rank
)
SELECT
    b.window_ms AS base_window_ms, c.window_ms AS cand_window_ms,
    c.window_ms / nullif(b.window_ms, 0) - 1 AS window_change,
    greatest(b.window_ms, c.window_ms) > 1.25 * least(b.window_ms, c.window_ms) AS window_apart,
    CASE
        WHEN b.window_ms IS NULL OR c.window_ms IS NULL THEN 'unknown'
        WHEN greatest(b.window_ms, c.window_ms) > 1.25 * least(b.window_ms, c.window_ms)
            THEN 'differs'
        ELSE 'same'
    END AS window_state,
    greatest(b.window_ms, c.window_ms) >= 3 * least(b.window_ms, c.window_ms) AS window_far,
    c.window_ms / nullif(b.window_ms, 0) AS window_ratio,
    b.launches AS base_launches, c.launches AS cand_launches,
    c.launches / nullif(b.launches, 0) - 1 AS launches_change,
    b.gpu_ms AS base_gpu_ms, c.gpu_ms AS cand_gpu_ms,
    c.gpu_ms / nullif(b.gpu_ms, 0) - 1 AS gpu_change,
    greatest(b.gpu_ms, c.gpu_ms) > 10 * least(b.gpu_ms, c.gpu_ms) AS gpu_apart
FROM base AS b CROSS JOIN cand AS c;

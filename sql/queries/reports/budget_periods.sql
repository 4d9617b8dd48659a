-- What a step takes on each device: medians over complete steps, and the mean sum of durations.
WITH steps AS (
    SELECT
        phase, device,
        CAST(round(gpu_ms * 1e6) AS BIGINT) AS gpu_ns,
        CAST(round(busy_ms * 1e6) AS BIGINT) AS busy_ns,
        CAST(round(gap_ms * 1e6) AS BIGINT) AS gap_ns
    FROM context_time_v1
    WHERE label = $run AND rank = $rank AND complete AND device IS NOT NULL
),
medians AS (
    SELECT
        phase, device, count(*) AS steps,
        quantile_cont(busy_ns, 0.5) / 1e6 AS busy_ms,
        quantile_cont(gap_ns, 0.5) / 1e6 AS gap_ms,
        bool_or(gpu_ns > busy_ns) AS overlaps
    FROM steps
    GROUP BY phase, device
)
SELECT
    m.phase, m.device, m.steps, p.period_ms, m.busy_ms, m.gap_ms, p.ms_per_step, m.overlaps
FROM medians AS m
JOIN phase_time_v1 AS p
    ON p.label = $run AND p.rank = $rank AND p.phase = m.phase AND p.device = m.device
WHERE $phase IS NULL OR m.phase = $phase
ORDER BY
    list_position(['prefill', 'prefill_tail', 'mixed', 'decode', 'idle', 'unknown'], m.phase),
    m.device;

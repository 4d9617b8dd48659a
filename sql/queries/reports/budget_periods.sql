-- What a step takes on each device: medians over complete steps, and the mean sum of durations.
-- overlap_ms is the part of that sum that passes beside other work of the step, which counts as
-- overlap (overlaps) from 0.1 % of the sum on. place orders the devices by period, longest first.
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
        CAST(sum(gpu_ns) AS BIGINT) AS gpu_ns,
        CAST(sum(gpu_ns - busy_ns) AS BIGINT) AS overlap_ns
    FROM steps
    GROUP BY phase, device
)
SELECT
    m.phase, m.device, m.steps, p.period_ms, m.busy_ms, m.gap_ms, p.ms_per_step,
    m.overlap_ns / m.steps / 1e6 AS overlap_ms,
    m.overlap_ns / nullif(m.gpu_ns, 0) AS overlap_share,
    m.overlap_ns > 0 AS overlaps_at_all,
    1000 * m.overlap_ns > m.gpu_ns AS overlaps,
    row_number() OVER (
        PARTITION BY m.phase ORDER BY p.period_ms DESC NULLS LAST, m.device
    ) AS place
FROM medians AS m
JOIN phase_time_v1 AS p
    ON p.label = $run AND p.rank = $rank AND p.phase = m.phase AND p.device = m.device
WHERE $phase IS NULL OR m.phase = $phase
ORDER BY
    list_position([
        'prefill', 'prefill_tail', 'mixed', 'decode', 'draft', 'idle', 'unknown'
    ], m.phase),
    m.device;

-- The ranks of a run beside each other.
SELECT
    rank, CAST(sum(CAST(gpu_ms AS DECIMAL(18, 6))) AS DOUBLE) AS gpu_ms,
    max(ms_per_step) FILTER (WHERE phase = 'prefill') AS prefill_ms_per_step,
    max(ms_per_step) FILTER (WHERE phase = 'decode') AS decode_ms_per_step,
    max(period_ms) FILTER (WHERE phase = 'decode') AS decode_period_ms
FROM phase_time_v1
WHERE label = $run
GROUP BY rank
ORDER BY rank;

-- For the buckets with the most time of each phase with steps: the most that a step could gain if
-- the bucket went away, and if it took 10 % less time. Withheld where the step waits for the host
-- longer than that.
WITH placed AS (
    SELECT
        *, row_number() OVER (PARTITION BY phase ORDER BY total_ms DESC, family, implementation)
            AS place
    FROM ceiling_v1
    WHERE label = $run AND rank = $rank AND steps > 0 AND phase <> 'idle'
        AND ($phase IS NULL OR phase = $phase)
)
SELECT
    phase, place, family, implementation, ms_per_step,
    max_saving_ms_per_step AS whole_ms, max_saving_share AS whole_share,
    coalesce(host_bound, false) AS whole_withheld,
    least(ms_per_step * 0.1, max_saving_ms_per_step) AS tenth_ms,
    max_saving_share * least(ms_per_step * 0.1, max_saving_ms_per_step)
        / nullif(max_saving_ms_per_step, 0) AS tenth_share,
    coalesce(idle_ms > least(ms_per_step * 0.1, max_saving_ms_per_step), false) AS tenth_withheld,
    period_ms, busy_ms, idle_ms
FROM placed
WHERE place <= $top
ORDER BY list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], phase),
    place;

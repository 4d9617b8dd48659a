-- Steps and device time by phase of one run, for the closing summary.
SELECT phase, sum(steps) AS steps, sum(steps_cut) AS steps_cut, sum(launches) AS launches,
    sum(gpu_ms) AS gpu_ms
FROM phase_time WHERE label = $label
GROUP BY phase ORDER BY gpu_ms DESC;

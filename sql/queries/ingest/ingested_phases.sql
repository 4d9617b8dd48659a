-- Steps and device time by phase of one run, for the closing summary. A step that runs on several
-- devices is one step.
SELECT t.phase, max(c.steps) AS steps, max(c.steps_cut) AS steps_cut,
    CAST(sum(t.launches) AS BIGINT) AS launches, sum(t.gpu_ms) AS gpu_ms
FROM phase_time AS t
LEFT JOIN (
    SELECT phase, count(DISTINCT context_id) FILTER (WHERE complete) AS steps,
        count(DISTINCT context_id) FILTER (WHERE NOT complete) AS steps_cut
    FROM context_time WHERE label = $label
    GROUP BY phase
) AS c ON c.phase = t.phase
WHERE t.label = $label
GROUP BY t.phase ORDER BY gpu_ms DESC;

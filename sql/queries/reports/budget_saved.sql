-- A saving of so many microseconds in each of so many layers, against the device time of a step.
WITH saved AS (
    SELECT
        CAST($save_us AS DOUBLE) AS save_us, CAST($times AS BIGINT) AS times,
        CAST($save_us AS DOUBLE) * CAST($times AS BIGINT) / 1e3 AS saved_ms
)
SELECT
    c.phase, s.save_us, s.times, s.saved_ms,
    CASE WHEN any_value(p.tokens) = any_value(p.steps) THEN 'token' ELSE 'step' END AS unit,
    sum(c.ms_per_step) AS ms_per_step,
    s.saved_ms / nullif(sum(c.ms_per_step), 0) AS saved_share,
    max(c.idle_ms) AS idle_ms,
    coalesce(max(c.idle_ms) > s.saved_ms, false) AS withheld
FROM ceiling_v1 AS c
CROSS JOIN saved AS s
JOIN launches_per_token_v1 AS p
    ON p.label = c.label AND p.rank = c.rank AND p.phase = c.phase
    AND p.family = c.family AND p.implementation = c.implementation
WHERE c.label = $run AND c.rank = $rank AND c.steps > 0
    AND s.save_us IS NOT NULL
    AND c.phase = coalesce($phase, 'decode')
GROUP BY c.phase, s.save_us, s.times, s.saved_ms;

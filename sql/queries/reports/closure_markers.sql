-- Kernels that were expected to run: `$patterns` are regular expressions, `$counts` how often a
-- step should launch a kernel whose name holds one, or whose implementation it is.
WITH asked AS (
    SELECT
        unnest(CAST($patterns AS VARCHAR[])) AS pattern,
        unnest(CAST($counts AS BIGINT[])) AS expected
),
phases AS (
    SELECT phase, max(steps) AS steps
    FROM launches_per_token_v1
    WHERE label = $run AND rank = $rank AND phase <> 'idle' AND steps > 0
        AND ($phase IS NULL OR phase = $phase)
    GROUP BY phase
),
matched AS (
    SELECT
        a.pattern, k.phase, count(DISTINCT k.kernel) AS kernels,
        sum(k.launches_per_step) AS launches_per_step, sum(k.total_ms) AS total_ms
    FROM kernel_time_v1 AS k
    JOIN asked AS a
        ON regexp_matches(k.kernel, a.pattern) OR lower(k.implementation) = lower(a.pattern)
    WHERE k.label = $run AND k.rank = $rank
    GROUP BY a.pattern, k.phase
)
SELECT
    a.pattern, a.expected, p.phase, p.steps, coalesce(m.kernels, 0) AS kernels,
    coalesce(m.launches_per_step, 0) AS launches_per_step,
    coalesce(m.launches_per_step, 0) - a.expected AS residual, m.total_ms,
    coalesce((SELECT sum(o.total_ms) FROM matched AS o WHERE o.pattern = a.pattern), 0) > 0
        AS dispatched
FROM asked AS a
CROSS JOIN phases AS p
LEFT JOIN matched AS m ON m.pattern = a.pattern AND m.phase = p.phase
ORDER BY
    a.pattern,
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], p.phase);

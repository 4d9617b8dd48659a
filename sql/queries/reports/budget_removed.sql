-- What-if: a part of the time of some buckets goes away. `$removed` names family/implementation,
-- with * for any, `$fractions` how much of each goes. The most that a
-- step could gain is that part of the sum, and never more than the time in which nothing but these
-- buckets ran on the device. Row 'together' is all of them at once.
WITH asked AS (
    SELECT
        unnest(CAST($removed AS VARCHAR[])) AS name,
        unnest(CAST($fractions AS DOUBLE[])) AS fraction
),
matched AS (
    SELECT a.name AS removed, b.family, b.implementation, a.fraction
    FROM (
        SELECT DISTINCT family, implementation FROM ceiling_v1
        WHERE label = $run AND rank = $rank
    ) AS b
    JOIN asked AS a
        ON a.name IN (
            b.family || '/*', '*/' || b.implementation, b.family || '/' || b.implementation
        )
),
parts AS (
    FROM matched
    UNION ALL
    SELECT 'together', family, implementation, least(sum(fraction), 1)
    FROM matched
    WHERE (SELECT count(*) FROM asked) > 1
    GROUP BY family, implementation
),
sums AS (
    SELECT
        p.removed, c.phase, sum(p.fraction * c.ms_per_step) AS part_ms,
        max(c.steps) AS steps, max(c.period_ms) AS period_ms, max(c.busy_ms) AS busy_ms,
        max(c.idle_ms) AS idle_ms
    FROM parts AS p
    JOIN ceiling_v1 AS c
        ON c.family = p.family AND c.implementation = p.implementation
    WHERE c.label = $run AND c.rank = $rank AND c.steps > 0 AND c.phase <> 'idle'
        AND ($phase IS NULL OR c.phase = $phase)
    GROUP BY p.removed, c.phase
),
whole AS (
    SELECT DISTINCT context_id FROM context_time_v1
    WHERE label = $run AND rank = $rank AND complete
),
-- All launches once per row of the answer, marked where they belong to it.
marked AS (
    SELECT
        s.removed, s.phase, b.profile_id, b.start_ns, b.dur_ns,
        CASE WHEN b.phase = s.phase AND w.context_id IS NOT NULL AND p.removed IS NOT NULL
            THEN 1 ELSE 0 END AS gone
    FROM kernel_events_v1 AS b
    CROSS JOIN sums AS s
    LEFT JOIN whole AS w ON w.context_id = b.context_id
    LEFT JOIN parts AS p
        ON p.removed = s.removed AND p.family = b.family
        AND p.implementation = b.implementation
    WHERE b.label = $run AND b.rank = $rank
),
edges AS (
    SELECT removed, phase, profile_id, start_ns AS at_ns, 1 AS step, gone FROM marked
    UNION ALL
    SELECT removed, phase, profile_id, start_ns + dur_ns, -1, gone FROM marked
),
slices AS (
    SELECT
        removed, phase, lead(at_ns) OVER time - at_ns AS dur_ns,
        sum(step) OVER time AS running, sum(step * gone) OVER time AS going
    FROM edges
    WINDOW time AS (
        PARTITION BY removed, phase, profile_id ORDER BY at_ns, gone, step
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),
alone AS (
    SELECT removed, phase, sum(dur_ns) AS alone_ns
    FROM slices
    WHERE going > 0 AND going = running
    GROUP BY removed, phase
),
bounds AS (
    SELECT
        s.*, coalesce(a.alone_ns, 0) / s.steps / 1e6 AS alone_ms,
        least(s.part_ms, coalesce(a.alone_ns, 0) / s.steps / 1e6) AS saving_ms
    FROM sums AS s
    LEFT JOIN alone AS a ON a.removed = s.removed AND a.phase = s.phase
)
SELECT
    b.phase, b.removed, a.fraction, b.part_ms, b.alone_ms, b.saving_ms,
    b.saving_ms / nullif(coalesce(b.period_ms, b.busy_ms), 0) AS saving_share,
    coalesce(b.idle_ms > b.saving_ms, false) AS withheld, b.idle_ms
FROM bounds AS b
LEFT JOIN asked AS a ON a.name = b.removed
ORDER BY list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], b.phase),
    b.removed = 'together', b.removed;

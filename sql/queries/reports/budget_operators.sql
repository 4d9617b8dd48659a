-- Per phase the operators with the most time (row), what lies beyond them (rest) and the phase
-- itself (all). Where no phase can be told, phase window pools the whole of the rank, work outside
-- any step too. Sums are over decimals, which are exact to the nanosecond.
WITH complete AS (
    SELECT e.phase, e.op, sum(e.dur_ns) / CAST(1e6 AS DECIMAL(18, 0)) AS complete_ms
    FROM kernel_events_v1 AS e
    WHERE e.label = $run AND e.rank = $rank AND e.context_id IN (
        SELECT context_id FROM context_time_v1 WHERE label = $run AND rank = $rank AND complete
    )
    GROUP BY e.phase, e.op
),
steps AS (
    SELECT phase, max(steps) AS steps
    FROM launches_per_token_v1
    WHERE label = $run AND rank = $rank
    GROUP BY phase
),
told AS (
    SELECT
        o.phase, o.op, o.launches, s.steps, CAST(o.total_ms AS DECIMAL(18, 6)) AS total_ms,
        coalesce(c.complete_ms, 0) AS complete_ms
    FROM op_time_v1 AS o
    LEFT JOIN complete AS c ON c.phase = o.phase AND c.op IS NOT DISTINCT FROM o.op
    LEFT JOIN steps AS s ON s.phase = o.phase
    WHERE o.label = $run AND o.rank = $rank
),
pooled AS (
    SELECT * FROM told WHERE $phase IS NULL OR phase = $phase
    UNION ALL BY NAME
    SELECT
        'window' AS phase, op, CAST(sum(launches) AS BIGINT) AS launches,
        sum(total_ms) AS total_ms
    FROM told
    WHERE $phase IS NULL AND NOT EXISTS (
        SELECT 1 FROM told WHERE phase IN ('prefill', 'prefill_tail', 'decode', 'mixed')
    )
    GROUP BY op
),
cells AS (
    SELECT *, row_number() OVER (PARTITION BY phase ORDER BY total_ms DESC, op) AS place
    FROM pooled
),
kinds AS (
    SELECT CASE WHEN place <= $top THEN 'row' ELSE 'rest' END AS kind, * FROM cells
    UNION ALL
    SELECT 'all', * FROM cells
),
sums AS (
    SELECT
        phase, kind, CASE WHEN kind = 'row' THEN place END AS place, count(*) AS cells,
        any_value(op) AS op, CAST(sum(launches) AS BIGINT) AS launches, max(steps) AS steps,
        sum(total_ms) AS total_ms, sum(complete_ms) AS complete_ms
    FROM kinds
    GROUP BY phase, kind, CASE WHEN kind = 'row' THEN place END
)
SELECT
    phase, kind, place, cells, op, launches, CAST(total_ms AS DOUBLE) AS total_ms,
    total_ms / nullif(max(total_ms) FILTER (WHERE kind = 'all') OVER (PARTITION BY phase), 0)
        AS phase_share,
    complete_ms / nullif(steps, 0) AS ms_per_step,
    total_ms / launches * 1000 AS mean_us
FROM sums
ORDER BY phase, list_position(['row', 'rest', 'all'], kind), place;

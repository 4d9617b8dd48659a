-- Per phase the families and implementations with the most time (row), what lies beyond them
-- (rest), the linear layers together (linear: gemm and gemv) and the phase itself (all). Where no
-- phase can be told, phase window pools the whole of the rank, work outside any step too. Sums are
-- over decimals, which are exact to the nanosecond.
WITH told AS (
    SELECT
        phase, family, implementation, launches, steps, tokens, run_share,
        CAST(total_ms AS DECIMAL(18, 6)) AS total_ms,
        CAST(round(launches_per_step * steps) AS BIGINT) AS complete_launches,
        CAST(ms_per_step * steps AS DECIMAL(18, 6)) AS complete_ms
    FROM launches_per_token_v1
    WHERE label = $run AND rank = $rank
),
pooled AS (
    SELECT * FROM told WHERE $phase IS NULL OR phase = $phase
    UNION ALL BY NAME
    SELECT
        'window' AS phase, family, implementation, CAST(sum(launches) AS BIGINT) AS launches,
        sum(run_share) AS run_share, sum(total_ms) AS total_ms
    FROM told
    WHERE $phase IS NULL AND NOT EXISTS (
        SELECT 1 FROM told WHERE phase IN ('prefill', 'prefill_tail', 'decode', 'mixed')
    )
    GROUP BY family, implementation
),
cells AS (
    SELECT
        *, row_number() OVER (
            PARTITION BY phase ORDER BY total_ms DESC, family, implementation
        ) AS place
    FROM pooled
),
-- What family other stands for: its kernel with the most time.
other_kernels AS (
    SELECT
        CASE WHEN grouping(phase) = 1 THEN 'window' ELSE phase END AS phase, implementation,
        stable_name, sum(dur_ns) AS total_ns
    FROM kernel_events_v1
    WHERE label = $run AND rank = $rank AND family = 'other'
    GROUP BY GROUPING SETS ((phase, implementation, stable_name), (implementation, stable_name))
),
largest AS (
    SELECT phase, implementation, stable_name AS largest_kernel
    FROM other_kernels
    QUALIFY row_number() OVER (
        PARTITION BY phase, implementation ORDER BY total_ns DESC, stable_name
    ) = 1
),
kinds AS (
    SELECT CASE WHEN place <= $top THEN 'row' ELSE 'rest' END AS kind, * FROM cells
    UNION ALL
    SELECT 'linear', * FROM cells WHERE family IN ('gemm', 'gemv')
    UNION ALL
    SELECT 'all', * FROM cells
),
sums AS (
    SELECT
        phase, kind, CASE WHEN kind = 'row' THEN place END AS place,
        count(*) AS cells, any_value(family) AS family,
        any_value(implementation) AS implementation,
        CAST(sum(launches) AS BIGINT) AS launches, max(steps) AS steps, max(tokens) AS tokens,
        sum(total_ms) AS total_ms, sum(run_share) AS run_share,
        sum(complete_launches) AS complete_launches, sum(complete_ms) AS complete_ms,
        bool_or(family IN ('communication', 'fused_communication')) AS waits
    FROM kinds
    GROUP BY phase, kind, CASE WHEN kind = 'row' THEN place END
)
SELECT
    s.phase, s.kind, s.place, s.cells, s.family, s.implementation, l.largest_kernel,
    s.launches, s.steps, s.tokens,
    s.complete_launches / nullif(s.steps, 0) AS launches_per_step,
    s.complete_launches / nullif(s.tokens, 0) AS launches_per_token,
    CAST(s.total_ms AS DOUBLE) AS total_ms,
    s.complete_ms / nullif(s.steps, 0) AS ms_per_step,
    s.complete_ms / nullif(s.tokens, 0) AS ms_per_token,
    s.total_ms / s.launches * 1000 AS mean_us,
    s.total_ms
        / nullif(max(s.total_ms) FILTER (WHERE s.kind = 'all') OVER (PARTITION BY s.phase), 0)
        AS phase_share,
    s.run_share, s.run_share >= 0.01 AS notable, s.waits
FROM sums AS s
LEFT JOIN largest AS l
    ON s.kind = 'row' AND s.family = 'other' AND l.phase = s.phase
    AND l.implementation IS NOT DISTINCT FROM s.implementation
ORDER BY s.phase, list_position(['row', 'rest', 'linear', 'all'], s.kind), s.place;

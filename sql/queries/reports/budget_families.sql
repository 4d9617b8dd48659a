-- Per phase the families and implementations with the most time (row), what lies beyond them
-- (rest), the linear layers together (linear: gemm and gemv) and the phase itself (all). Sums are
-- over decimals, which are exact to the nanosecond.
WITH cells AS (
    SELECT
        phase, family, implementation, launches, steps, tokens, run_share,
        CAST(total_ms AS DECIMAL(18, 6)) AS total_ms,
        CAST(round(launches_per_step * steps) AS BIGINT) AS complete_launches,
        CAST(ms_per_step * steps AS DECIMAL(18, 6)) AS complete_ms,
        row_number() OVER (
            PARTITION BY phase ORDER BY total_ms DESC, family, implementation
        ) AS place
    FROM launches_per_token_v1
    WHERE label = $run AND rank = $rank AND ($phase IS NULL OR phase = $phase)
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
    phase, kind, place, cells, family, implementation, launches, steps, tokens,
    complete_launches / nullif(steps, 0) AS launches_per_step,
    complete_launches / nullif(tokens, 0) AS launches_per_token,
    CAST(total_ms AS DOUBLE) AS total_ms,
    complete_ms / nullif(steps, 0) AS ms_per_step,
    complete_ms / nullif(tokens, 0) AS ms_per_token,
    total_ms / launches * 1000 AS mean_us,
    total_ms / nullif(max(total_ms) FILTER (WHERE kind = 'all') OVER (PARTITION BY phase), 0)
        AS phase_share,
    run_share, waits
FROM sums
ORDER BY phase, list_position(['row', 'rest', 'linear', 'all'], kind), place;

-- The kernels with the most time that serve no module of the model in their phase: first those that
-- no rule names, then those that a module should explain, helpers, and what no model counts.
WITH mapped AS (
    SELECT DISTINCT phase, family, implementation
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND family IS NOT NULL
),
phases AS (
    SELECT DISTINCT phase FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND ($phase IS NULL OR phase = $phase)
),
kinds AS (
    SELECT DISTINCT family, implementation, kind
    FROM kernel_rules_v1
    WHERE label = $run AND rank = $rank
),
kernels AS (
    SELECT
        k.phase, k.kernel, k.family, k.implementation, k.launches_per_step, k.total_ms,
        k.phase_share,
        CASE
            WHEN k.family = 'other' THEN 'no rule'
            WHEN d.kind IS NULL THEN 'not counted'
            WHEN d.kind = 'beside' THEN 'helper'
            ELSE 'unexplained'
        END AS why
    FROM kernel_time_v1 AS k
    SEMI JOIN phases AS p ON p.phase = k.phase
    ANTI JOIN mapped AS m
        ON m.phase = k.phase AND m.family = k.family AND m.implementation = k.implementation
    LEFT JOIN kinds AS d ON d.family = k.family AND d.implementation = k.implementation
    WHERE k.label = $run AND k.rank = $rank
)
SELECT
    phase, kernel, family, implementation, launches_per_step, total_ms, phase_share, why,
    coalesce(sum(phase_share) FILTER (WHERE why = 'no rule') OVER (PARTITION BY phase), 0)
        AS unnamed_share,
    coalesce(sum(phase_share) FILTER (WHERE why = 'unexplained') OVER (PARTITION BY phase), 0)
        AS unexplained_share,
    coalesce(sum(phase_share) FILTER (WHERE why = 'helper') OVER (PARTITION BY phase), 0)
        AS helper_share,
    coalesce(sum(phase_share) FILTER (WHERE why = 'not counted') OVER (PARTITION BY phase), 0)
        AS uncounted_share,
    row_number() OVER (
        PARTITION BY phase
        ORDER BY list_position(['no rule', 'unexplained', 'helper', 'not counted'], why), total_ms DESC, kernel
    ) AS place
FROM kernels
QUALIFY place <= 8
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], phase),
    place;

-- The ledger: per phase the groups of kernels with the modules that they serve (row), and all
-- groups of a kind together (all).
WITH served AS (
    SELECT
        phase, family, implementation,
        string_agg(
            CASE WHEN multiplicity = 1 THEN '' ELSE CAST(multiplicity AS VARCHAR) || ' × ' END
                || CAST(count AS VARCHAR) || ' ' || module,
            ' + ' ORDER BY count DESC, position
        ) AS modules,
        bool_or(origin = 'ambiguous') AS ambiguous, bool_or(origin = 'declared') AS declared
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND family IS NOT NULL
    GROUP BY phase, family, implementation
),
absorbed AS (
    SELECT phase, kind, string_agg(module, ', ' ORDER BY module) AS absorbed
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND family IS NULL
    GROUP BY phase, kind
),
closed AS (
    SELECT c.*, s.modules, s.ambiguous, s.declared
    FROM closure_v1 AS c
    LEFT JOIN served AS s
        ON s.phase = c.phase AND s.family = c.family AND s.implementation = c.implementation
    WHERE c.label = $run AND c.rank = $rank AND c.model = $model
        AND ($phase IS NULL OR c.phase = $phase)
),
both_kinds AS (
    SELECT
        'row' AS line, phase, kind, family, implementation, modules, ambiguous, declared,
        launches_per_step, expected_per_step, residual, status, finding,
        commonest_per_step, steps_checked, steps_not_closed, steps_cut, steps_cut_not_closed
    FROM closed
    UNION ALL BY NAME
    SELECT
        'all' AS line, phase, kind, sum(launches_per_step) AS launches_per_step,
        sum(expected_per_step) AS expected_per_step, sum(residual) AS residual,
        sum(commonest_per_step) AS commonest_per_step,
        count(*) AS parts, bool_and(status = 'closed') AS closes,
        max(steps_checked) AS steps_checked, max(steps_cut) AS steps_cut,
        max(steps_not_closed) AS steps_not_closed,
        max(steps_cut_not_closed) AS steps_cut_not_closed
    FROM closed
    GROUP BY phase, kind
)
SELECT b.*, a.absorbed
FROM both_kinds AS b
LEFT JOIN absorbed AS a ON b.line = 'all' AND a.phase = b.phase AND a.kind = b.kind
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], b.phase),
    list_position(['linear', 'experts', 'attention', 'linear_attention'], b.kind),
    b.line DESC, b.expected_per_step DESC, b.family, b.implementation;

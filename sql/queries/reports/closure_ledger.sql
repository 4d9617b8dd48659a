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
    WHERE label = $run AND rank = $rank AND model = $model AND multiplicity > 0
    GROUP BY phase, family, implementation
),
absorbed AS (
    SELECT phase, kind, string_agg(module, ', ' ORDER BY module) AS absorbed
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND multiplicity = 0
    GROUP BY phase, kind
),
-- Kernels that no rule names, by how often a step launches them.
unnamed AS (
    SELECT phase, launches_per_step, arg_max(kernel, total_ms) AS kernel
    FROM kernel_time_v1
    WHERE label = $run AND rank = $rank AND family = 'other'
    GROUP BY phase, launches_per_step
),
closed AS (
    SELECT c.*, s.modules, s.ambiguous, s.declared, u.kernel AS like_kernel
    FROM closure_v1 AS c
    LEFT JOIN served AS s
        ON s.phase = c.phase AND coalesce(s.family, 'none') = c.family
        AND coalesce(s.implementation, 'none') = c.implementation
    LEFT JOIN unnamed AS u ON u.phase = c.phase AND u.launches_per_step = -c.residual
    WHERE c.label = $run AND c.rank = $rank AND c.model = $model
        AND ($phase IS NULL OR c.phase = $phase)
),
both_kinds AS (
    SELECT
        'row' AS line, phase, kind, family, implementation, modules, ambiguous, declared,
        like_kernel,
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

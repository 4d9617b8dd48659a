-- Per phase: whether all groups that do the model's matrix work close, and how much of the device
-- time the model explains.
WITH closed AS (
    SELECT
        phase,
        bool_and(
            status = 'closed' OR finding = 'other kernels in some steps'
        ) FILTER (WHERE kind IN ('linear', 'experts')) AS work_closes,
        -- Nothing at all of what a kind of modules should launch is no small matter of any kind.
        bool_or(launches_per_step = 0 AND expected_per_step > 0) AS kind_missing,
        bool_and(status = 'closed') AS all_close,
        sum(expected_per_step) FILTER (WHERE kind = 'linear') AS linears_expected,
        sum(commonest_per_step) FILTER (WHERE kind = 'linear') AS linears_commonest,
        max(steps_checked) AS steps_checked, max(steps_cut) AS steps_cut,
        max(steps_not_closed) AS steps_not_closed,
        max(steps_cut_not_closed) AS steps_cut_not_closed
    FROM closure_v1
    WHERE label = $run AND rank = $rank AND model = $model AND ($phase IS NULL OR phase = $phase)
    GROUP BY phase
),
modules AS (
    SELECT
        phase, CAST(sum(count) FILTER (WHERE kind = 'linear' AND multiplicity > 0) AS BIGINT)
            AS linears,
        -- Every linear launched several times is a doubled record as well as a split.
        coalesce(min(multiplicity) FILTER (WHERE kind = 'linear' AND multiplicity > 0), 1) > 1
            AS all_repeated
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model
    GROUP BY phase
),
devices AS (
    SELECT phase, count(DISTINCT device) AS devices
    FROM phase_time_v1
    WHERE label = $run AND rank = $rank
    GROUP BY phase
),
mapped AS (
    SELECT DISTINCT phase, family, implementation
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model AND family IS NOT NULL
),
explained AS (
    SELECT t.phase, sum(t.phase_share) AS explained_share
    FROM launches_per_token_v1 AS t
    JOIN mapped AS m
        ON m.phase = t.phase AND m.family = t.family AND m.implementation = t.implementation
    WHERE t.label = $run AND t.rank = $rank
    GROUP BY t.phase
),
trust AS (
    SELECT
        max(CASE trust WHEN 'ok' THEN 0 WHEN 'limited' THEN 1 ELSE 2 END) AS doubt
    FROM run_summary_v1
    WHERE label = $run AND rank = $rank
)
SELECT
    c.*, e.explained_share, t.doubt, m.linears, m.all_repeated, d.devices,
    CASE
        WHEN c.steps_checked = 0 THEN 'not checked'
        WHEN NOT c.work_closes OR c.kind_missing THEN 'no'
        WHEN t.doubt > 0 OR m.all_repeated OR d.devices > 1 OR c.steps_cut_not_closed > 0 OR NOT c.all_close THEN 'limited'
        ELSE 'yes'
    END AS trusted
FROM closed AS c
CROSS JOIN trust AS t
LEFT JOIN explained AS e ON e.phase = c.phase
LEFT JOIN modules AS m ON m.phase = c.phase
LEFT JOIN devices AS d ON d.phase = c.phase
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], c.phase);

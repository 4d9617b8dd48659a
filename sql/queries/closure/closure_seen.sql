-- Launches per step of the kernels that may serve modules: the commonest count over the complete
-- steps, never the mean, and the time of such a step.
WITH total AS (
    SELECT CAST(sum(steps) AS BIGINT) AS steps
    FROM _phase_steps_v1
    WHERE label = $run AND rank = $rank AND phase = $phase
),
alike AS (
    SELECT
        kind, family, implementation, launches, count(*) AS steps,
        CAST(quantile_disc(gpu_ns, 0.5) AS BIGINT) AS gpu_ns
    FROM _step_groups_v1
    WHERE label = $run AND rank = $rank AND phase = $phase AND complete
    GROUP BY kind, family, implementation, launches
),
with_none AS (
    FROM alike
    UNION ALL BY NAME
    SELECT
        kind, family, implementation, 0 AS launches,
        any_value(t.steps) - CAST(sum(a.steps) AS BIGINT) AS steps, 0 AS gpu_ns
    FROM alike AS a CROSS JOIN total AS t
    GROUP BY kind, family, implementation
)
SELECT kind, family, implementation, launches, gpu_ns
FROM with_none
QUALIFY row_number() OVER (
    PARTITION BY kind, family, implementation ORDER BY steps DESC, launches DESC
) = 1
ORDER BY kind, family, implementation;

-- What each step launched against what its model has.
CREATE OR REPLACE VIEW _step_closure_v1 AS
WITH mapped AS (
    SELECT
        label, rank, model, phase, kind,
        coalesce(family, 'none') AS family, coalesce(implementation, 'none') AS implementation,
        CAST(sum(launches_per_step) AS BIGINT) AS expected
    FROM closure_map_v1
    WHERE multiplicity > 0
    GROUP BY
        label, rank, model, phase, kind,
        coalesce(family, 'none'), coalesce(implementation, 'none')
),
kinds AS (
    SELECT DISTINCT label, rank, model, phase, kind FROM closure_map_v1
),
-- Kernels of a kind that the model has, but of no module of it: nothing of them is expected.
groups AS (
    SELECT label, rank, model, phase, kind, family, implementation, expected FROM mapped
    UNION ALL
    SELECT k.label, k.rank, k.model, k.phase, k.kind, g.family, g.implementation, 0
    FROM kinds AS k
    JOIN (
        SELECT DISTINCT label, rank, phase, kind, family, implementation FROM _step_groups_v1
    ) AS g ON g.label = k.label AND g.rank = k.rank AND g.phase = k.phase AND g.kind = k.kind
    LEFT JOIN mapped AS m
        ON m.label = k.label AND m.rank = k.rank AND m.model = k.model AND m.phase = k.phase
        AND m.kind = k.kind AND m.family = g.family AND m.implementation = g.implementation
    WHERE m.label IS NULL
)
SELECT
    g.label, g.rank, g.model, s.profile_id, g.phase, s.context_id, s.step_index, s.complete,
    g.kind, g.family, g.implementation,
    coalesce(c.launches, 0) AS launches,
    g.expected,
    coalesce(c.launches, 0) - g.expected AS residual,
    CAST(sum(coalesce(c.launches, 0) - g.expected) OVER (
        PARTITION BY g.label, g.rank, g.model, g.phase, g.kind, s.context_id
    ) AS BIGINT) AS kind_residual
FROM groups AS g
JOIN _steps_v1 AS s ON s.label = g.label AND s.rank = g.rank AND s.phase = g.phase
LEFT JOIN _step_groups_v1 AS c
    ON c.label = s.label AND c.rank = s.rank AND c.context_id = s.context_id
    AND c.family = g.family AND c.implementation = g.implementation;

COMMENT ON VIEW _step_closure_v1 IS
    'One row per model, step and group of kernels that serves modules of it.';
COMMENT ON COLUMN _step_closure_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _step_closure_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _step_closure_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN _step_closure_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _step_closure_v1.phase IS 'Phase of the step.';
COMMENT ON COLUMN _step_closure_v1.context_id IS 'The step, of table contexts.';
COMMENT ON COLUMN _step_closure_v1.step_index IS
    'Step number of the profiler, else the place in time from 0.';
COMMENT ON COLUMN _step_closure_v1.complete IS
    'False where the window cut the step or device work of it is missing.';
COMMENT ON COLUMN _step_closure_v1.kind IS 'linear, experts, attention or linear_attention.';
COMMENT ON COLUMN _step_closure_v1.family IS 'Family of the kernels.';
COMMENT ON COLUMN _step_closure_v1.implementation IS 'Implementation of the kernels.';
COMMENT ON COLUMN _step_closure_v1.launches IS 'Launches of the step.';
COMMENT ON COLUMN _step_closure_v1.expected IS 'Launches that the modules make which it serves.';
COMMENT ON COLUMN _step_closure_v1.residual IS 'launches - expected.';
COMMENT ON COLUMN _step_closure_v1.kind_residual IS
    'launches - expected of all groups of the kind in the step together.';

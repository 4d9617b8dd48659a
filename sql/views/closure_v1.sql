-- Whether launch counts close with the model, over complete steps.
CREATE OR REPLACE VIEW closure_v1 AS
WITH alike AS (
    SELECT
        label, rank, model, phase, kind, family, implementation, launches,
        count(*) AS steps
    FROM _step_closure_v1
    WHERE complete
    GROUP BY label, rank, model, phase, kind, family, implementation, launches
),
commonest AS (
    SELECT label, rank, model, phase, kind, family, implementation, launches
    FROM (
        SELECT
            label, rank, model, phase, kind, family, implementation, launches,
            row_number() OVER (
                PARTITION BY label, rank, model, phase, kind, family, implementation
                ORDER BY steps DESC, launches DESC
            ) AS place
        FROM alike
    ) AS ranked
    WHERE place = 1
),
sums AS (
    SELECT
        label, rank, model, phase, kind, family, implementation,
        max(expected) AS expected,
        CAST(coalesce(sum(launches) FILTER (WHERE complete), 0) AS BIGINT) AS launches,
        count(*) FILTER (WHERE complete) AS steps,
        count(*) FILTER (WHERE complete AND residual <> 0) AS steps_off,
        count(*) FILTER (WHERE complete AND residual < 0) AS steps_short,
        count(*) FILTER (WHERE complete AND residual > 0) AS steps_over,
        count(*) FILTER (WHERE complete AND kind_residual <> 0) AS steps_kind_off,
        count(*) FILTER (WHERE NOT complete) AS steps_cut,
        count(*) FILTER (WHERE NOT complete AND residual <> 0) AS steps_cut_off,
        min(residual) FILTER (WHERE complete) AS least,
        max(residual) FILTER (WHERE complete) AS most
    FROM _step_closure_v1
    GROUP BY label, rank, model, phase, kind, family, implementation
)
SELECT
    s.label, s.rank, s.model, s.phase, s.family, s.implementation,
    s.launches / nullif(s.steps, 0) AS launches_per_step,
    CAST(s.expected AS DOUBLE) AS expected_per_step,
    (s.launches - s.expected * s.steps) / nullif(s.steps, 0) AS residual,
    CASE
        WHEN s.steps = 0 THEN 'not_checked'
        WHEN s.steps_off = 0 THEN 'closed'
        WHEN s.launches % s.steps <> 0 THEN 'not_integer'
        WHEN s.launches < s.expected * s.steps THEN 'short'
        WHEN s.launches > s.expected * s.steps THEN 'over'
        WHEN s.steps_short >= s.steps_over THEN 'short'
        ELSE 'over'
    END AS status,
    s.steps AS steps_checked,
    s.steps_off AS steps_not_closed,
    CAST(c.launches AS DOUBLE) AS commonest_per_step,
    CASE
        WHEN s.steps = 0 THEN 'no complete step'
        WHEN s.steps_off = 0 THEN 'closed'
        WHEN s.steps_kind_off = 0 THEN 'other kernels in some steps'
        WHEN s.least = s.most AND s.most < 0 THEN 'less in every step'
        WHEN s.least = s.most AND s.least > 0 THEN 'more in every step'
        WHEN s.most <= 0 AND s.steps_off < s.steps THEN 'less in some steps'
        WHEN s.least >= 0 AND s.steps_off < s.steps THEN 'more in some steps'
        ELSE 'differs from step to step'
    END AS finding,
    s.steps_cut,
    s.steps_cut_off AS steps_cut_not_closed,
    s.kind
FROM sums AS s
LEFT JOIN commonest AS c
    ON c.label = s.label AND c.rank = s.rank AND c.model = s.model AND c.phase = s.phase
    AND c.kind = s.kind AND c.family = s.family AND c.implementation = s.implementation;

COMMENT ON VIEW closure_v1 IS
    'One row per model, phase, family and implementation: launches per step against the modules.';
COMMENT ON COLUMN closure_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN closure_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN closure_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN closure_v1.phase IS 'Phase of the steps.';
COMMENT ON COLUMN closure_v1.family IS 'Family of the kernels.';
COMMENT ON COLUMN closure_v1.implementation IS 'Implementation of the kernels.';
COMMENT ON COLUMN closure_v1.launches_per_step IS
    'Launches of complete steps / complete steps; NULL where there is none.';
COMMENT ON COLUMN closure_v1.expected_per_step IS
    'Launches that the modules make which it serves; 0 where it serves none.';
COMMENT ON COLUMN closure_v1.residual IS 'launches_per_step - expected_per_step.';
COMMENT ON COLUMN closure_v1.status IS
    'closed: every complete step; else short, over, not_integer, or not_checked without a step.';
COMMENT ON COLUMN closure_v1.steps_checked IS 'Complete steps of the phase.';
COMMENT ON COLUMN closure_v1.steps_not_closed IS
    'Complete steps whose launches are not those expected; closure_steps lists them.';
COMMENT ON COLUMN closure_v1.commonest_per_step IS
    'Launches that most of the complete steps have; of equally common ones the higher.';
COMMENT ON COLUMN closure_v1.finding IS
    'How the steps are off: less or more, in every step or some, by other kernels, or differing.';
COMMENT ON COLUMN closure_v1.steps_cut IS 'Steps that are not complete.';
COMMENT ON COLUMN closure_v1.steps_cut_not_closed IS
    'Steps that are not complete and do not close.';
COMMENT ON COLUMN closure_v1.kind IS 'linear, experts, attention or linear_attention.';

-- Which kind of work got slower or runs more often between two runs.
CREATE OR REPLACE VIEW family_diff_v1 AS
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.family,
        b.launches, b.launches_per_step, b.ms_per_step, b.p50_us
    FROM _family_sides_v1 AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.family,
        c.launches, c.launches_per_step, c.ms_per_step, c.p50_us
    FROM _family_sides_v1 AS c
    CROSS JOIN runs AS o
),
pairs AS (
    SELECT
        base, cand, rank, phase, family,
        max(launches) FILTER (WHERE side = 0) AS base_launches,
        max(launches) FILTER (WHERE side = 1) AS cand_launches,
        max(launches_per_step) FILTER (WHERE side = 0) AS base_launches_per_step,
        max(launches_per_step) FILTER (WHERE side = 1) AS cand_launches_per_step,
        max(ms_per_step) FILTER (WHERE side = 0) AS base_ms_per_step,
        max(ms_per_step) FILTER (WHERE side = 1) AS cand_ms_per_step,
        max(p50_us) FILTER (WHERE side = 0) AS base_p50_us,
        max(p50_us) FILTER (WHERE side = 1) AS cand_p50_us
    FROM sides
    GROUP BY base, cand, rank, phase, family
)
SELECT
    base, cand, rank, phase, family,
    base_launches, cand_launches,
    base_launches_per_step, cand_launches_per_step,
    base_ms_per_step, cand_ms_per_step,
    base_p50_us, cand_p50_us,
    cand_launches_per_step / nullif(base_launches_per_step, 0) - 1 AS launches_per_step_change,
    cand_ms_per_step / nullif(base_ms_per_step, 0) - 1 AS ms_per_step_change,
    cand_p50_us / nullif(base_p50_us, 0) - 1 AS p50_change
FROM pairs;

COMMENT ON VIEW family_diff_v1 IS
    'One row per pair of runs, rank, phase and family: WHERE base = ''0815'' AND cand = ''1009''.';
COMMENT ON COLUMN family_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN family_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN family_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN family_diff_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN family_diff_v1.family IS 'Kind of work, by table family_rules.';
COMMENT ON COLUMN family_diff_v1.base_launches IS
    'Base: all launches; NULL where it lacks the family.';
COMMENT ON COLUMN family_diff_v1.cand_launches IS
    'Candidate: all launches; NULL where it lacks the family.';
COMMENT ON COLUMN family_diff_v1.base_launches_per_step IS
    'Base: launches of complete steps / steps of the phase.';
COMMENT ON COLUMN family_diff_v1.cand_launches_per_step IS
    'Candidate: launches of complete steps / steps of the phase.';
COMMENT ON COLUMN family_diff_v1.base_ms_per_step IS
    'Base: device time of complete steps / steps of the phase, ms.';
COMMENT ON COLUMN family_diff_v1.cand_ms_per_step IS
    'Candidate: device time of complete steps / steps of the phase, ms.';
COMMENT ON COLUMN family_diff_v1.base_p50_us IS
    'Base: exact interpolated median of the duration, us.';
COMMENT ON COLUMN family_diff_v1.cand_p50_us IS
    'Candidate: exact interpolated median of the duration, us.';
COMMENT ON COLUMN family_diff_v1.launches_per_step_change IS
    'cand_launches_per_step / base_launches_per_step - 1, a fraction.';
COMMENT ON COLUMN family_diff_v1.ms_per_step_change IS
    'cand_ms_per_step / base_ms_per_step - 1, a fraction.';
COMMENT ON COLUMN family_diff_v1.p50_change IS 'cand_p50_us / base_p50_us - 1, a fraction.';

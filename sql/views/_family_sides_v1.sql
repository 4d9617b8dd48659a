-- One side of family_diff.
CREATE OR REPLACE VIEW _family_sides_v1 AS
WITH medians AS (
    SELECT l.label, l.rank, l.phase, n.family, quantile_cont(l.dur_ns, 0.5) AS p50_ns
    FROM _launches_v1 AS l
    JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
    GROUP BY l.label, l.rank, l.phase, n.family
),
sums AS (
    SELECT
        label, rank, phase, family,
        CAST(sum(launches) AS BIGINT) AS launches,
        CAST(sum(complete_launches) AS BIGINT) AS complete_launches,
        CAST(sum(complete_ns) AS BIGINT) AS complete_ns,
        max(steps) AS steps
    FROM _family_cells_v1
    GROUP BY label, rank, phase, family
)
SELECT
    s.label, s.rank, s.phase, s.family, s.launches,
    s.complete_launches / nullif(s.steps, 0) AS launches_per_step,
    s.complete_ns / nullif(s.steps, 0) / 1e6 AS ms_per_step,
    m.p50_ns / 1e3 AS p50_us
FROM sums AS s
JOIN medians AS m
    ON m.label = s.label AND m.rank = s.rank AND m.phase = s.phase AND m.family = s.family;

COMMENT ON VIEW _family_sides_v1 IS 'One row per label, rank, phase and family; from kernels.';
COMMENT ON COLUMN _family_sides_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _family_sides_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _family_sides_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _family_sides_v1.family IS 'Kind of work, by table family_rules.';
COMMENT ON COLUMN _family_sides_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _family_sides_v1.launches_per_step IS
    'Launches of complete steps / steps of the phase; NULL where there is no step.';
COMMENT ON COLUMN _family_sides_v1.ms_per_step IS
    'Device time of complete steps / steps of the phase, ms; NULL where there is no step.';
COMMENT ON COLUMN _family_sides_v1.p50_us IS 'Exact interpolated median of the duration, us.';

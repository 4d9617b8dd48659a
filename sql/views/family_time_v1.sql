-- Where the time of every phase goes, by kind of work.
CREATE OR REPLACE VIEW family_time_v1 AS
WITH families AS (
    SELECT
        label, rank, phase, family,
        max(steps) AS steps,
        max(tokens) AS tokens,
        CAST(sum(launches) AS BIGINT) AS launches,
        CAST(sum(total_ns) AS BIGINT) AS total_ns,
        CAST(sum(complete_launches) AS BIGINT) AS complete_launches,
        CAST(sum(complete_ns) AS BIGINT) AS complete_ns
    FROM _family_cells_v1
    GROUP BY label, rank, phase, family
)
SELECT
    label, rank, phase, family, launches,
    complete_launches / nullif(steps, 0) AS launches_per_step,
    total_ns / 1e6 AS total_ms,
    complete_ns / nullif(steps, 0) / 1e6 AS ms_per_step,
    complete_ns / nullif(tokens, 0) / 1e6 AS ms_per_token,
    total_ns / nullif(CAST(sum(total_ns) OVER (PARTITION BY label, rank, phase) AS BIGINT), 0)
        AS phase_share,
    total_ns / nullif(CAST(sum(total_ns) OVER (PARTITION BY label, rank) AS BIGINT), 0)
        AS run_share
FROM families;

COMMENT ON VIEW family_time_v1 IS 'One row per phase and family.';
COMMENT ON COLUMN family_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN family_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN family_time_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN family_time_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN family_time_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN family_time_v1.launches_per_step IS
    'Launches of complete steps / steps of the phase; NULL where there is no step.';
COMMENT ON COLUMN family_time_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN family_time_v1.ms_per_step IS
    'Device time of complete steps / steps of the phase, ms; NULL where there is no step.';
COMMENT ON COLUMN family_time_v1.ms_per_token IS
    'Device time of complete steps / tokens of the phase, ms; NULL where these are not told.';
COMMENT ON COLUMN family_time_v1.phase_share IS
    'Device time / device time of the label, rank and phase, a fraction of 1.';
COMMENT ON COLUMN family_time_v1.run_share IS
    'Device time / device time of the label and rank in all phases, a fraction of 1.';

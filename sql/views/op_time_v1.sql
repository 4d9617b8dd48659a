-- Where the time of every phase goes, by operator.
CREATE OR REPLACE VIEW op_time_v1 AS
WITH cells AS (
    SELECT
        label, rank, phase, op_id,
        count(*) AS launches,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns
    FROM _launches_v1
    GROUP BY label, rank, phase, op_id
)
SELECT
    c.label, c.rank, c.phase, o.name AS op, c.launches,
    c.total_ns / 1e6 AS total_ms,
    c.total_ns / c.launches / 1e3 AS mean_us,
    c.total_ns / nullif(CAST(
        sum(c.total_ns) OVER (PARTITION BY c.label, c.rank, c.phase) AS BIGINT), 0)
        AS phase_share,
    c.total_ns / nullif(CAST(
        sum(c.total_ns) OVER (PARTITION BY c.label, c.rank) AS BIGINT), 0)
        AS run_share
FROM cells AS c
LEFT JOIN names AS o ON o.name_id = c.op_id;

COMMENT ON VIEW op_time_v1 IS 'One row per phase and operator.';
COMMENT ON COLUMN op_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN op_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN op_time_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN op_time_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN op_time_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN op_time_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN op_time_v1.mean_us IS 'total_ms / launches, in us.';
COMMENT ON COLUMN op_time_v1.phase_share IS
    'Device time / device time of the label, rank and phase, a fraction of 1.';
COMMENT ON COLUMN op_time_v1.run_share IS
    'Device time / device time of the label and rank in all phases, a fraction of 1.';

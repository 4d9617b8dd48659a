-- Statistics per kernel by its stable name, on ids.
CREATE OR REPLACE VIEW _kernel_stats_v1 AS
SELECT
    l.label, l.rank, l.phase, g.group_id,
    min(l.kernel_id) AS kernel_id,
    count(*) AS launches,
    CAST(sum(l.dur_ns) AS BIGINT) AS total_ns,
    count(*) FILTER (WHERE l.complete) AS complete_launches,
    CAST(coalesce(sum(l.dur_ns) FILTER (WHERE l.complete), 0) AS BIGINT) AS complete_ns,
    quantile_cont(l.dur_ns, 0.5) AS p50_ns,
    quantile_cont(l.dur_ns, 0.99) AS p99_ns,
    max(l.dur_ns) AS max_ns
FROM _launches_v1 AS l
LEFT JOIN _kernel_groups_v1 AS g ON g.kernel_id = l.kernel_id
GROUP BY l.label, l.rank, l.phase, g.group_id;

COMMENT ON VIEW _kernel_stats_v1 IS
    'One row per label, rank, phase and kernel by its stable name; from kernels.';
COMMENT ON COLUMN _kernel_stats_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _kernel_stats_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _kernel_stats_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _kernel_stats_v1.group_id IS 'Lowest kernel_id with the same stable name.';
COMMENT ON COLUMN _kernel_stats_v1.kernel_id IS
    'Lowest kernel_id that was launched here: it tells the family.';
COMMENT ON COLUMN _kernel_stats_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _kernel_stats_v1.total_ns IS 'Sum of the durations of all its launches, ns.';
COMMENT ON COLUMN _kernel_stats_v1.complete_launches IS 'Launches in complete steps.';
COMMENT ON COLUMN _kernel_stats_v1.complete_ns IS 'Device time in complete steps, ns.';
COMMENT ON COLUMN _kernel_stats_v1.p50_ns IS 'Exact interpolated median of the duration, ns.';
COMMENT ON COLUMN _kernel_stats_v1.p99_ns IS
    'Exact interpolated 99th percentile of the duration, ns.';
COMMENT ON COLUMN _kernel_stats_v1.max_ns IS 'Longest of its launches, ns.';

-- Where the time of every phase goes, kernel by kernel.
CREATE OR REPLACE VIEW kernel_time_v1 AS
SELECT
    k.label, k.rank, k.phase, coalesce(n.stable_name, n.name) AS kernel, n.family,
    n.implementation, k.launches,
    k.complete_launches / nullif(s.steps, 0) AS launches_per_step,
    k.total_ns / 1e6 AS total_ms,
    k.total_ns / k.launches / 1e3 AS mean_us,
    k.p50_ns / 1e3 AS p50_us,
    k.p99_ns / 1e3 AS p99_us,
    k.max_ns / 1e3 AS max_us,
    k.total_ns / nullif(CAST(
        sum(k.total_ns) OVER (PARTITION BY k.label, k.rank, k.phase) AS BIGINT), 0)
        AS phase_share,
    k.total_ns / nullif(CAST(
        sum(k.total_ns) OVER (PARTITION BY k.label, k.rank) AS BIGINT), 0)
        AS run_share
FROM _kernel_stats_v1 AS k
LEFT JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
LEFT JOIN _phase_steps_v1 AS s
    ON s.label = k.label AND s.rank = k.rank AND s.phase = k.phase;

COMMENT ON VIEW kernel_time_v1 IS 'One row per phase and kernel.';
COMMENT ON COLUMN kernel_time_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN kernel_time_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN kernel_time_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN kernel_time_v1.kernel IS
    'Kernel name without generated numbering and counters (kernel_names.stable_name).';
COMMENT ON COLUMN kernel_time_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN kernel_time_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN kernel_time_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN kernel_time_v1.launches_per_step IS
    'Launches of complete steps / steps of the phase; NULL where there is no step.';
COMMENT ON COLUMN kernel_time_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN kernel_time_v1.mean_us IS 'total_ms / launches, in us.';
COMMENT ON COLUMN kernel_time_v1.p50_us IS
    'Exact interpolated median of the duration of all its launches, us.';
COMMENT ON COLUMN kernel_time_v1.p99_us IS
    'Exact interpolated 99th percentile of the duration of all its launches, us.';
COMMENT ON COLUMN kernel_time_v1.max_us IS 'Longest of its launches, us.';
COMMENT ON COLUMN kernel_time_v1.phase_share IS
    'Device time / device time of the label, rank and phase, a fraction of 1.';
COMMENT ON COLUMN kernel_time_v1.run_share IS
    'Device time / device time of the label and rank in all phases, a fraction of 1.';

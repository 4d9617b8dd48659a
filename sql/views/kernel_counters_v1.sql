-- The hardware counters of launches, one by one; profiles.counters has their names in order.
CREATE OR REPLACE VIEW kernel_counters_v1 AS
WITH wide AS (
    SELECT
        r.label, p.rank, k.profile_id, k.device, k.stream, k.start_ns, k.dur_ns, k.kernel_id,
        k.op_id, k.shape_id,
        CASE
            WHEN c.context_id IS NOT NULL THEN c.phase
            WHEN NOT p.has_contexts THEN 'unknown'
            ELSE 'outside'
        END AS phase,
        k.context_id,
        unnest(p.counters) AS counter,
        unnest(k.counters) AS value
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN kernels AS k ON k.profile_id = p.profile_id
    LEFT JOIN contexts AS c ON c.profile_id = k.profile_id AND c.context_id = k.context_id
    WHERE k.counters IS NOT NULL
)
SELECT
    w.label, w.rank, w.profile_id, w.device, w.stream, w.start_ns, w.dur_ns,
    k.name AS kernel, o.name AS op, coalesce(s.shape, '') AS shape, w.phase, w.context_id,
    w.counter, w.value
FROM wide AS w
LEFT JOIN kernel_names AS k ON k.kernel_id = w.kernel_id
LEFT JOIN names AS o ON o.name_id = w.op_id
LEFT JOIN shapes AS s ON s.shape_id = w.shape_id
WHERE w.value IS NOT NULL AND w.counter IS NOT NULL;

COMMENT ON VIEW kernel_counters_v1 IS
    'One row per launch and hardware counter that was measured of it.';
COMMENT ON COLUMN kernel_counters_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN kernel_counters_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN kernel_counters_v1.profile_id IS
    'The profile of table profiles that recorded it.';
COMMENT ON COLUMN kernel_counters_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN kernel_counters_v1.stream IS 'Stream of the device.';
COMMENT ON COLUMN kernel_counters_v1.start_ns IS 'Start of the launch, ns since the epoch.';
COMMENT ON COLUMN kernel_counters_v1.dur_ns IS 'Duration of the launch on the device, ns.';
COMMENT ON COLUMN kernel_counters_v1.kernel IS
    'Kernel name, byte for byte as the profiler wrote it.';
COMMENT ON COLUMN kernel_counters_v1.op IS 'Operator; on Ascend the vendor''s operator type.';
COMMENT ON COLUMN kernel_counters_v1.shape IS 'Input shapes; empty where unknown.';
COMMENT ON COLUMN kernel_counters_v1.phase IS
    'Phase of the step; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN kernel_counters_v1.context_id IS 'The step of table contexts; NULL outside any.';
COMMENT ON COLUMN kernel_counters_v1.counter IS
    'Title of the counter as the vendor''s table has it, with the unit where it names one.';
COMMENT ON COLUMN kernel_counters_v1.value IS
    'The value, in the unit that the title names; ratios of 1, cube_utilization(%) in percent.';

-- Every launch with its names.
CREATE OR REPLACE VIEW kernel_events_v1 AS
SELECT
    l.label, l.rank, l.profile_id, l.device, l.stream, l.start_ns, l.dur_ns,
    k.name AS kernel, k.family, k.implementation,
    o.name AS op, coalesce(s.shape, '') AS shape, d.name AS dtype,
    l.phase, l.context_id, l.correlation,
    coalesce(k.stable_name, k.name) AS stable_name
FROM _launches_v1 AS l
LEFT JOIN kernel_names AS k ON k.kernel_id = l.kernel_id
LEFT JOIN names AS o ON o.name_id = l.op_id
LEFT JOIN shapes AS s ON s.shape_id = l.shape_id
LEFT JOIN names AS d ON d.name_id = l.dtype_id;

COMMENT ON VIEW kernel_events_v1 IS
    'One row per launch: one execution of a kernel or copy on a device.';
COMMENT ON COLUMN kernel_events_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN kernel_events_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN kernel_events_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN kernel_events_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN kernel_events_v1.stream IS
    'Stream of the device; NULL for collectives of Ascend.';
COMMENT ON COLUMN kernel_events_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN kernel_events_v1.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN kernel_events_v1.kernel IS 'Kernel name, byte for byte as the profiler wrote it.';
COMMENT ON COLUMN kernel_events_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN kernel_events_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN kernel_events_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN kernel_events_v1.shape IS
    'Input shapes: dimensions by comma, tensors by semicolon; '''' where unknown.';
COMMENT ON COLUMN kernel_events_v1.dtype IS 'Types of the input tensors; NULL where unknown.';
COMMENT ON COLUMN kernel_events_v1.phase IS
    'Phase of the step that launched it; outside where none did, unknown where it cannot be told.';
COMMENT ON COLUMN kernel_events_v1.context_id IS
    'The step of context_time that launched it; NULL outside any.';
COMMENT ON COLUMN kernel_events_v1.correlation IS
    'Id that links it to its launch call, within the profile; NULL where there is none.';
COMMENT ON COLUMN kernel_events_v1.stable_name IS
    'The name without generated numbering and counters: column kernel of other views.';

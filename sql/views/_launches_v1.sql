-- Every launch with its run, rank and phase. The label comes from runs by inner joins, so that a
-- filter on it skips the kernels of all other runs; names are joined by the views on top, last.
CREATE OR REPLACE VIEW _launches_v1 AS
SELECT
    r.label, p.rank, k.profile_id, k.device, k.stream, k.start_ns, k.dur_ns,
    k.kernel_id, k.op_id, k.shape_id, k.dtype_id, k.context_id,
    CASE
        WHEN c.context_id IS NOT NULL THEN c.phase
        WHEN NOT p.has_contexts THEN 'unknown'
        ELSE 'outside'
    END AS phase,
    coalesce(c.complete, FALSE) AS complete,
    k.correlation,
    coalesce(k.graph_replay, FALSE) AS graph_replay
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN kernels AS k ON k.profile_id = p.profile_id
LEFT JOIN contexts AS c ON c.profile_id = k.profile_id AND c.context_id = k.context_id
-- The kernels inside a collective are counted by the row of the collective itself.
WHERE k.part_of_collective IS NOT TRUE;

COMMENT ON VIEW _launches_v1 IS
    'One row per launch, but for kernels inside a collective, which has a row; from kernels.';
COMMENT ON COLUMN _launches_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _launches_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _launches_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _launches_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN _launches_v1.stream IS 'Stream of the device; NULL for collectives of Ascend.';
COMMENT ON COLUMN _launches_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN _launches_v1.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN _launches_v1.kernel_id IS 'The name of table kernel_names.';
COMMENT ON COLUMN _launches_v1.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN _launches_v1.shape_id IS 'The input shapes, of table shapes.';
COMMENT ON COLUMN _launches_v1.dtype_id IS
    'Types of the inputs, a text of table names; NULL where unknown.';
COMMENT ON COLUMN _launches_v1.context_id IS
    'The step of table contexts that launched it; NULL outside any.';
COMMENT ON COLUMN _launches_v1.phase IS
    'Phase of the step that launched it; outside where none did, unknown where it cannot be told.';
COMMENT ON COLUMN _launches_v1.complete IS
    'Whether it belongs to a complete step; false outside any.';
COMMENT ON COLUMN _launches_v1.correlation IS
    'Id that links it to its launch call, within the profile; NULL where there is none.';
COMMENT ON COLUMN _launches_v1.graph_replay IS 'Whether the launch call replayed a graph.';

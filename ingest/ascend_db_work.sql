-- The step of each launch, and how it was found. Of two ways the nearer counts. Tasks of a graph
-- keep the connection under which they were captured: what launched a replay is only known where the
-- call is one that executes graphs.
CREATE VIEW stage.placed AS
SELECT
    l.*, coalesce(n.turn, 1) AS turn, o.launch_ns, o.host_op,
    coalesce(o.replay, n.turn IS NOT NULL) AS graph_replay,
    coalesce(s.thread_step, s.timed_step, s.process_step) AS context_no,
    CASE
        WHEN s.thread_step IS NOT NULL THEN 'launch call'
        WHEN s.timed_step IS NOT NULL THEN 'launch call, within the profiler''s step time'
        WHEN s.process_step IS NOT NULL THEN 'other thread of the process, within the step'
        WHEN o.connectionId IS NOT NULL THEN 'launch call outside any step'
        WHEN n.turn IS NOT NULL THEN 'graph replay, whose launch call is not known'
        WHEN f.start_ns IS NULL THEN 'no launch call recorded'
        WHEN l.start_ns < f.start_ns THEN 'launched before the window'
        ELSE 'no launch found'
    END AS attribution
FROM stage.launches AS l
LEFT JOIN stage.turns AS n ON n.row_no = l.row_no AND NOT l.is_collective
LEFT JOIN stage.origins AS o
    ON o.connectionId = l.connectionId AND (o.replay OR n.turn IS NULL)
LEFT JOIN stage.origin_steps AS s ON s.connectionId = o.connectionId
CROSS JOIN stage.first_launch AS f;

INSERT INTO stage.work BY NAME
SELECT
    l.device, l.stream, l.start_ns, l.end_ns - l.start_ns AS dur_ns, 'kernel' AS kind,
    coalesce(name.cell, '') AS name, type.cell AS op_type, type.cell AS op, l.host_op,
    coalesce(trim(in_shape.cell, '"'), '') AS shape,
    CASE WHEN in_shape.cell IS NULL THEN 'none' ELSE 'vendor file' END AS shape_source,
    in_type.cell AS dtype, l.context_no, l.attribution, l.connectionId AS correlation,
    l.launch_ns, l.graph_replay,
    CASE core.cell WHEN 'HCCL' THEN 'COMMUNICATION' ELSE core.cell END AS core,
    l.task_id, l.model_id,
    d.blockNum AS block_num, d.mixBlockNum AS mix_block_num, l.wait_ns,
    state.cell AS op_state, hf32.cell AS hf32, in_format.cell AS input_formats,
    trim(out_shape.cell, '"') AS output_shapes, out_type.cell AS output_dtypes,
    out_format.cell AS output_formats,
    -- All bits set where the task has none.
    CASE WHEN l.vendor_context <> 4294967295 THEN CAST(l.vendor_context AS VARCHAR) END
        AS vendor_context,
    m.counters,
    CASE WHEN coalesce(attr.cell, grid.cell, threads.cell) IS NOT NULL
        THEN json_merge_patch('{}', to_json({
            attrInfo: attr.cell, gridDim: grid.cell, blockDim: threads.cell
        })) END AS args
FROM stage.placed AS l
JOIN stage.descriptions AS d ON d.place = l.place AND d.row_no = l.info_row
LEFT JOIN stage.measured AS m
    ON m.globalTaskId = l.globalTaskId AND m.turn = l.turn
LEFT JOIN stage.texts AS name ON name.id = d.name
LEFT JOIN stage.texts AS type ON type.id = d.opType
LEFT JOIN stage.texts AS core ON core.id = d.taskType
LEFT JOIN stage.texts AS in_shape ON in_shape.id = d.inputShapes
LEFT JOIN stage.texts AS in_type ON in_type.id = d.inputDataTypes
LEFT JOIN stage.texts AS in_format ON in_format.id = d.inputFormats
LEFT JOIN stage.texts AS out_shape ON out_shape.id = d.outputShapes
LEFT JOIN stage.texts AS out_type ON out_type.id = d.outputDataTypes
LEFT JOIN stage.texts AS out_format ON out_format.id = d.outputFormats
LEFT JOIN stage.texts AS state ON state.id = d.opState
LEFT JOIN stage.texts AS hf32 ON hf32.id = d.hf32Eligible
LEFT JOIN stage.texts AS attr ON attr.id = d.attrInfo
LEFT JOIN stage.texts AS grid ON grid.id = d.gridDim
LEFT JOIN stage.texts AS threads ON threads.id = d.threadDim
WHERE NOT l.is_collective;

-- Collectives as kernel tables have them: without stream, task, shapes and counters.
INSERT INTO stage.work BY NAME
SELECT
    l.device, l.start_ns, l.end_ns - l.start_ns AS dur_ns, 'kernel' AS kind,
    coalesce(name.cell, '') AS name, type.cell AS op_type, type.cell AS op, l.host_op,
    '' AS shape, 'none' AS shape_source, l.context_no, l.attribution,
    l.connectionId AS correlation, l.launch_ns, l.graph_replay, 'COMMUNICATION' AS core,
    l.model_id, 0 AS block_num, l.wait_ns,
    to_json({
        groupName: team.value, opId: o.opId, relay: o.relay, retry: o.retry,
        dataType: coalesce(kind.name, CAST(o.dataType AS VARCHAR)), algType: algorithm.value,
        count: o.count, rankSize: o.rankSize
    }) AS args
FROM stage.placed AS l
JOIN stage.COMMUNICATION_OP AS o ON o.row_no = l.row_no
LEFT JOIN stage.texts AS name ON name.id = o.opName
LEFT JOIN stage.texts AS type ON type.id = o.opType
LEFT JOIN stage.texts AS team ON team.id = o.groupName
LEFT JOIN stage.texts AS algorithm ON algorithm.id = o.algType
LEFT JOIN stage.ENUM_HCCL_DATA_TYPE AS kind ON kind.id = o.dataType
WHERE l.is_collective;

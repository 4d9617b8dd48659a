CREATE OR REPLACE TEMP TABLE kernel_of AS
SELECT k.kernel_id, k.kind, k.name, k.op_type, k.stable_name
FROM kernel_names AS k JOIN stage.profile AS p ON p.platform = k.platform;

INSERT INTO names
SELECT start.id + row_number() OVER (ORDER BY n.name), n.name
FROM (
    SELECT op AS name FROM stage.work
    UNION SELECT host_op FROM stage.work
    UNION SELECT dtype FROM stage.work
    UNION SELECT stable_name FROM kernel_of
    UNION SELECT name FROM stage.all_events
) AS n
CROSS JOIN (SELECT coalesce(max(name_id), 0) AS id FROM names) AS start
ANTI JOIN names AS known ON known.name = n.name
WHERE n.name IS NOT NULL;

INSERT INTO categories
SELECT start.id + row_number() OVER (ORDER BY e.category, e.ph), e.category, e.ph
FROM (SELECT DISTINCT category, ph FROM stage.all_events) AS e
CROSS JOIN (SELECT coalesce(max(category_id), 0) AS id FROM categories) AS start
ANTI JOIN categories AS known
    ON known.category IS NOT DISTINCT FROM e.category AND known.ph = e.ph;

CREATE OR REPLACE TEMP TABLE track_of AS
SELECT start.id + row_number() OVER (ORDER BY e.process, e.thread) AS track_id,
    e.process, e.thread
FROM (
    SELECT DISTINCT coalesce(process, '') AS process, coalesce(thread, '') AS thread
    FROM stage.all_events
) AS e
CROSS JOIN (SELECT coalesce(max(track_id), 0) AS id FROM tracks) AS start;
INSERT INTO tracks
SELECT t.track_id, i.profile_id, t.process, t.thread FROM track_of AS t CROSS JOIN ids AS i;

INSERT INTO kernels BY NAME
SELECT
    i.profile_id, w.device, w.stream, w.start_ns, w.dur_ns,
    k.kernel_id, o.name_id AS op_id, h.name_id AS host_op_id,
    s.shape_id, w.shape_source, d.name_id AS dtype_id,
    i.first_context + w.context_no AS context_id,
    w.attribution, w.correlation, w.launch_ns, w.graph_replay, w.graph_node_id,
    w.part_of_collective, w.core, w.task_id,
    w.model_id, w.block_num, w.mix_block_num, w.wait_ns, w.op_state, w.hf32, w.input_formats,
    w.output_shapes, w.output_dtypes, w.output_formats, w.vendor_context, w.counters,
    coalesce(w.args, a.args) AS args
FROM stage.work AS w
CROSS JOIN ids AS i
JOIN kernel_of AS k
    ON k.name = w.name AND k.kind = w.kind AND k.op_type = coalesce(w.op_type, '')
JOIN names AS o ON o.name = coalesce(w.op, k.stable_name)
JOIN shapes AS s ON s.shape = w.shape
LEFT JOIN names AS h ON h.name = w.host_op
LEFT JOIN names AS d ON d.name = w.dtype
LEFT JOIN stage.args AS a ON a.args_row = w.args_row
ORDER BY w.start_ns, w.device, w.stream, w.correlation;

INSERT INTO events BY NAME
SELECT
    i.profile_id, c.category_id, n.name_id, t.track_id, e.start_ns, e.dur_ns, e.correlation,
    e.external_id, e.flow_id, e.args
FROM stage.all_events AS e
CROSS JOIN ids AS i
JOIN categories AS c ON c.category IS NOT DISTINCT FROM e.category AND c.ph = e.ph
JOIN track_of AS t ON t.process = coalesce(e.process, '') AND t.thread = coalesce(e.thread, '')
LEFT JOIN names AS n ON n.name = e.name;

DROP TABLE kernel_of;
DROP TABLE track_of;

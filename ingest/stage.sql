-- The staging tables, alike for every format. Times are ns since the epoch.

CREATE TABLE stage.profile (
    rank INTEGER, source_path VARCHAR, format VARCHAR, platform VARCHAR, device_name VARCHAR,
    layout VARCHAR, captured_local VARCHAR, counters VARCHAR[], metadata VARCHAR
);
CREATE TABLE stage.files (
    path VARCHAR, size_bytes BIGINT, sha256 VARCHAR, container VARCHAR, beside BOOLEAN
);
CREATE TABLE stage.ledger (
    file INTEGER, category VARCHAR, seen BIGINT, stored BIGINT, set_aside BIGINT, reason VARCHAR
);
CREATE TABLE stage.trust (level VARCHAR, reason VARCHAR, events BIGINT);
CREATE TABLE stage.contexts (
    context_no BIGINT, step_index BIGINT, name VARCHAR, phase VARCHAR, source VARCHAR,
    complete BOOLEAN, context_requests BIGINT, context_tokens BIGINT, generation_requests BIGINT,
    generation_tokens BIGINT, context_sk BIGINT, context_sqsq BIGINT, context_sqsk BIGINT,
    generation_sk BIGINT, generation_sqsq BIGINT, generation_sqsk BIGINT, padded_requests BIGINT,
    start_ns BIGINT, end_ns BIGINT
);
CREATE TABLE stage.unread_steps (name VARCHAR, spans BIGINT);
CREATE TABLE stage.graph_launches (correlation BIGINT, context_no BIGINT, launch_ns BIGINT);
CREATE TABLE stage.work (
    device INTEGER, stream BIGINT, start_ns BIGINT, dur_ns BIGINT, kind VARCHAR, name VARCHAR,
    op_type VARCHAR, op VARCHAR, host_op VARCHAR, shape VARCHAR, shape_source VARCHAR,
    dtype VARCHAR, context_no BIGINT, attribution VARCHAR, correlation BIGINT, launch_ns BIGINT,
    graph_replay BOOLEAN, graph_node_id BIGINT, part_of_collective BOOLEAN, core VARCHAR,
    task_id BIGINT, model_id BIGINT,
    block_num BIGINT, mix_block_num BIGINT, wait_ns BIGINT, op_state VARCHAR, hf32 VARCHAR,
    input_formats VARCHAR, output_shapes VARCHAR, output_dtypes VARCHAR, output_formats VARCHAR,
    vendor_context VARCHAR, counters DOUBLE[], args VARCHAR, args_row BIGINT
);
-- Arguments of device work that are too long to be copied through stage.work: a format that has
-- them puts its own view in the place of this one.
CREATE VIEW stage.args AS SELECT 0 AS args_row, '' AS args WHERE false;

-- Events that are no device work; a format that has them puts its own view in the place of this one.
CREATE VIEW stage.events AS
SELECT CAST(NULL AS VARCHAR) AS category, '' AS ph, '' AS name, '' AS process, '' AS thread,
    0 AS start_ns, 0 AS dur_ns, 0 AS correlation, 0 AS external_id, '' AS flow_id, '' AS args
WHERE false;

-- Tasks during which the profiler records nothing of the device: that nothing ran is not known.
-- is_row: the task is a row of vendor_rows besides.
CREATE TABLE stage.pauses (
    device INTEGER, stream BIGINT, name VARCHAR, start_ns BIGINT, dur_ns BIGINT, is_row BOOLEAN
);

-- What the vendor computed or listed beside the launches.
CREATE TABLE stage.vendor_operators AS FROM vendor_operators LIMIT 0;
CREATE TABLE stage.vendor_steps AS FROM vendor_steps LIMIT 0;
CREATE TABLE stage.vendor_calls AS FROM vendor_calls LIMIT 0;
CREATE TABLE stage.vendor_collectives AS FROM vendor_collectives LIMIT 0;
CREATE TABLE stage.vendor_rows AS FROM vendor_rows LIMIT 0;
CREATE TABLE stage.twin_checks AS FROM twin_checks LIMIT 0;

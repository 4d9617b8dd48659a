-- One row per element of traceEvents. Times are ns since the trace's own zero.

CREATE TABLE stage.raw (
    role VARCHAR, ph VARCHAR, cat VARCHAR, name VARCHAR, pid VARCHAR, tid VARCHAR, id VARCHAR,
    ts BIGINT, dur BIGINT, correlation BIGINT, external_id BIGINT, device BIGINT, stream BIGINT,
    graph_node BIGINT, args VARCHAR
);

-- Pieces of host time with the step that holds them, per thread and per process.
CREATE TABLE stage.thread_steps (
    pid VARCHAR, tid VARCHAR, start_ns BIGINT, end_ns BIGINT, context_no BIGINT
);
CREATE TABLE stage.process_steps (
    pid VARCHAR, start_ns BIGINT, end_ns BIGINT, context_no BIGINT
);

-- The same of device time, for steps that are known by the device alone.
CREATE TABLE stage.stream_steps (
    device INTEGER, stream BIGINT, start_ns BIGINT, end_ns BIGINT, context_no BIGINT
);
CREATE TABLE stage.device_steps (
    device INTEGER, start_ns BIGINT, end_ns BIGINT, context_no BIGINT
);

-- What is known at the end of the file: the trace's zero, and whether Python frames are stored.
CREATE TABLE stage.zero (ns BIGINT, keep_python BOOLEAN);

-- The tables of the database that are read, under their own names and those of the newest schema;
-- what a file lacks is NULL. row_no is SQLite's rowid: the order in which rows were written.
CREATE TABLE stage.STRING_IDS (id BIGINT, value VARCHAR);
CREATE TABLE stage.TASK (
    row_no BIGINT, startNs BIGINT, endNs BIGINT, deviceId INTEGER, connectionId BIGINT,
    globalTaskId BIGINT, taskType UINTEGER, contextId UINTEGER, streamId UINTEGER,
    taskId UINTEGER, modelId UINTEGER
);
CREATE TABLE stage.COMPUTE_TASK_INFO (
    row_no BIGINT, globalTaskId BIGINT, name UINTEGER, blockNum UINTEGER, mixBlockNum UINTEGER,
    taskType UINTEGER, opType UINTEGER, inputFormats UINTEGER, inputDataTypes UINTEGER,
    inputShapes UINTEGER, outputFormats UINTEGER, outputDataTypes UINTEGER, outputShapes UINTEGER,
    attrInfo UINTEGER, opState UINTEGER, hf32Eligible UINTEGER, gridDim UINTEGER, threadDim UINTEGER
);
CREATE TABLE stage.COMMUNICATION_SCHEDULE_TASK_INFO (
    row_no BIGINT, globalTaskId BIGINT, name UINTEGER, taskType UINTEGER, opType UINTEGER
);
CREATE TABLE stage.COMMUNICATION_OP (
    row_no BIGINT, opName UINTEGER, startNs BIGINT, endNs BIGINT, connectionId BIGINT,
    groupName UINTEGER, opId BIGINT, relay UINTEGER, retry UINTEGER, dataType UINTEGER, algType UINTEGER,
    count BIGINT, opType UINTEGER, deviceId INTEGER, rankSize UINTEGER
);
CREATE TABLE stage.CANN_API (
    row_no BIGINT, startNs BIGINT, endNs BIGINT, type UINTEGER, globalTid BIGINT,
    connectionId BIGINT, name UINTEGER
);
CREATE TABLE stage.PYTORCH_API (
    row_no BIGINT, startNs BIGINT, endNs BIGINT, globalTid BIGINT, connectionId BIGINT,
    name UINTEGER, sequenceNumber BIGINT, fwdThreadId BIGINT, inputDtypes UINTEGER,
    inputShapes UINTEGER, callchainId BIGINT, type UINTEGER
);
CREATE TABLE stage.CONNECTION_IDS (row_no BIGINT, id BIGINT, connectionId BIGINT);
CREATE TABLE stage.MSTX_EVENTS (
    row_no BIGINT, startNs BIGINT, endNs BIGINT, eventType UINTEGER, rangeId BIGINT, message UINTEGER,
    globalTid BIGINT, domainId UINTEGER, connectionId BIGINT
);
CREATE TABLE stage.STEP_TIME (row_no BIGINT, id BIGINT, startNs BIGINT, endNs BIGINT);
CREATE TABLE stage.TASK_PMU_INFO (
    row_no BIGINT, globalTaskId BIGINT, name UINTEGER, value DOUBLE, timestampNs BIGINT
);
CREATE TABLE stage.ENUM_API_TYPE (id BIGINT, name VARCHAR);
CREATE TABLE stage.ENUM_HCCL_DATA_TYPE (id BIGINT, name VARCHAR);
-- Every table of the file, with its rows as SQLite counts them.
CREATE TABLE stage.tables_seen (name VARCHAR, seen BIGINT);
CREATE TABLE stage.asked (python BOOLEAN);

-- The time of each step as disjoint pieces, per thread and per process.
CREATE TABLE stage.thread_steps (
    pid VARCHAR, tid VARCHAR, start_ns BIGINT, end_ns BIGINT, context_no BIGINT
);
CREATE TABLE stage.process_steps (pid VARCHAR, start_ns BIGINT, end_ns BIGINT, context_no BIGINT);

-- Every column that a kernel table may have; what a file lacks is NULL.
CREATE TABLE stage.kernel_columns (
    step_id VARCHAR, device_id VARCHAR, name VARCHAR, type VARCHAR, op_state VARCHAR, core VARCHAR,
    start_us VARCHAR, dur_us VARCHAR, wait_us VARCHAR, model_id VARCHAR, task_id VARCHAR,
    stream_id VARCHAR, block_num VARCHAR, mix_block_num VARCHAR, hf32 VARCHAR,
    input_shapes VARCHAR, input_dtypes VARCHAR, input_formats VARCHAR, output_shapes VARCHAR,
    output_dtypes VARCHAR, output_formats VARCHAR, vendor_context VARCHAR, extra_none VARCHAR
);
CREATE TABLE stage.bad_rows (file_no INTEGER, reason VARCHAR, line BIGINT);
-- Tasks that are no kernels, where the file has such; pauses are stored as events.
CREATE TABLE stage.other_tasks (file_no INTEGER, kind VARCHAR, is_pause BOOLEAN, tasks BIGINT);
-- What is said of a file whose rows are stored all the same.
CREATE TABLE stage.file_notes (file_no INTEGER, note VARCHAR, lines BIGINT);
ALTER TABLE stage.work ADD COLUMN file_no INTEGER;
-- Whether the start stood in the file, without its last digits: the launch counts all the same.
ALTER TABLE stage.work ADD COLUMN start_lost BOOLEAN;

-- What vendors computed themselves, kept beside the launches to be checked against them, and the
-- parts of collectives that would be counted twice.

ALTER TABLE kernels ADD COLUMN part_of_collective BOOLEAN;
COMMENT ON COLUMN kernels.part_of_collective IS 'True for a kernel that runs inside a collective which has a row of its own (Ascend): its time counts once, in that row.';

CREATE TABLE vendor_operators (
    profile_id INTEGER, device INTEGER, op_type VARCHAR, core VARCHAR, launches BIGINT,
    total_ns BIGINT, min_ns BIGINT, max_ns BIGINT
);
COMMENT ON TABLE vendor_operators IS 'One row per operator type and core as the vendor summed them up (op_statistic.csv).';
COMMENT ON COLUMN vendor_operators.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN vendor_operators.device IS 'Ordinal of the device; NULL where the file names none.';
COMMENT ON COLUMN vendor_operators.op_type IS 'Operator type of the vendor.';
COMMENT ON COLUMN vendor_operators.core IS 'Accelerator core.';
COMMENT ON COLUMN vendor_operators.launches IS 'Launches by the vendor''s count.';
COMMENT ON COLUMN vendor_operators.total_ns IS 'Total time by the vendor, ns.';
COMMENT ON COLUMN vendor_operators.min_ns IS 'Shortest launch by the vendor, ns.';
COMMENT ON COLUMN vendor_operators.max_ns IS 'Longest launch by the vendor, ns.';

CREATE TABLE vendor_steps (
    profile_id INTEGER, device INTEGER, step VARCHAR, computing_ns BIGINT,
    exposed_communication_ns BIGINT, overlapped_ns BIGINT, communication_ns BIGINT,
    free_ns BIGINT, stage_ns BIGINT, bubble_ns BIGINT, preparing_ns BIGINT
);
COMMENT ON TABLE vendor_steps IS 'One row per step, or for the window, as the vendor split its time (step_trace_time.csv).';
COMMENT ON COLUMN vendor_steps.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN vendor_steps.device IS 'Ordinal of the device; NULL where the file names none.';
COMMENT ON COLUMN vendor_steps.step IS 'Step by the vendor; empty where there are no step marks.';
COMMENT ON COLUMN vendor_steps.computing_ns IS 'Time with computing, ns.';
COMMENT ON COLUMN vendor_steps.exposed_communication_ns IS 'Time with communication and no computing, ns.';
COMMENT ON COLUMN vendor_steps.overlapped_ns IS 'Time with both, ns.';
COMMENT ON COLUMN vendor_steps.communication_ns IS 'Time with communication, ns.';
COMMENT ON COLUMN vendor_steps.free_ns IS 'Time with neither, ns.';
COMMENT ON COLUMN vendor_steps.stage_ns IS 'End to end less bubble, ns.';
COMMENT ON COLUMN vendor_steps.bubble_ns IS 'Time in receives, ns.';
COMMENT ON COLUMN vendor_steps.preparing_ns IS 'From the first host operator to the first device task, ns; NULL where not told.';

CREATE TABLE vendor_calls (
    profile_id INTEGER, level VARCHAR, name VARCHAR, calls BIGINT, total_ns BIGINT, min_ns BIGINT,
    max_ns BIGINT
);
COMMENT ON TABLE vendor_calls IS 'One row per level and host call as the vendor summed them up (api_statistic.csv).';
COMMENT ON COLUMN vendor_calls.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN vendor_calls.level IS 'acl, runtime, node, model or communication.';
COMMENT ON COLUMN vendor_calls.name IS 'Name of the call.';
COMMENT ON COLUMN vendor_calls.calls IS 'How often it was called.';
COMMENT ON COLUMN vendor_calls.total_ns IS 'Total time, ns.';
COMMENT ON COLUMN vendor_calls.min_ns IS 'Shortest call, ns.';
COMMENT ON COLUMN vendor_calls.max_ns IS 'Longest call, ns.';

CREATE TABLE vendor_collectives (
    profile_id INTEGER, step VARCHAR, op VARCHAR, group_name VARCHAR, start_ns BIGINT,
    elapse_ns BIGINT, transit_ns BIGINT, wait_ns BIGINT, synchronization_ns BIGINT,
    idle_ns BIGINT, transit_bytes BIGINT, transports VARCHAR
);
COMMENT ON TABLE vendor_collectives IS 'One row per collective as the vendor analysed it (communication.json).';
COMMENT ON COLUMN vendor_collectives.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN vendor_collectives.step IS 'Step by the vendor.';
COMMENT ON COLUMN vendor_collectives.op IS 'Name of the collective, without its group.';
COMMENT ON COLUMN vendor_collectives.group_name IS 'Communication group by the vendor.';
COMMENT ON COLUMN vendor_collectives.start_ns IS 'Start, ns since the epoch, rounded by the vendor to about 250 ns; NULL where not told.';
COMMENT ON COLUMN vendor_collectives.elapse_ns IS 'From start to end, ns.';
COMMENT ON COLUMN vendor_collectives.transit_ns IS 'Time in which data moved, ns.';
COMMENT ON COLUMN vendor_collectives.wait_ns IS 'Time of waiting for peers, ns.';
COMMENT ON COLUMN vendor_collectives.synchronization_ns IS 'Waiting before the first transfer, ns.';
COMMENT ON COLUMN vendor_collectives.idle_ns IS 'Rest of the elapsed time, ns.';
COMMENT ON COLUMN vendor_collectives.transit_bytes IS 'Bytes moved over all transports.';
COMMENT ON COLUMN vendor_collectives.transports IS 'Per transport its bytes and time, JSON text.';

CREATE TABLE vendor_rows (
    profile_id INTEGER, file_id INTEGER, source VARCHAR, row_number BIGINT, content VARCHAR
);
COMMENT ON TABLE vendor_rows IS 'One row per row of other vendor files (memory, caches, tasks, host operators), as JSON text.';
COMMENT ON COLUMN vendor_rows.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN vendor_rows.file_id IS 'The file of table files.';
COMMENT ON COLUMN vendor_rows.source IS 'Kind of file, such as memory_record.';
COMMENT ON COLUMN vendor_rows.row_number IS 'Data row in the file, from 1.';
COMMENT ON COLUMN vendor_rows.content IS 'Column names and texts of the row, JSON text.';

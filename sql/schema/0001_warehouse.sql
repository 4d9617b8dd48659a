-- Runs, their profiles, and what the profiles hold. Ids are dense numbers given at ingest; nothing
-- is declared unique, since an index would cost every bulk load: the loader keeps them unique.

CREATE TABLE runs (run_id INTEGER, label VARCHAR, created_at TIMESTAMP);
COMMENT ON TABLE runs IS 'One row per run: one condition under test, named by a unique label.';
COMMENT ON COLUMN runs.run_id IS 'Number of the run in this warehouse.';
COMMENT ON COLUMN runs.label IS 'Unique name by which commands and views address the run.';
COMMENT ON COLUMN runs.created_at IS 'When the first profile of the run was stored, UTC.';

CREATE TABLE run_facts (run_id INTEGER, key VARCHAR, value VARCHAR);
COMMENT ON TABLE run_facts IS 'One row per fact that a user declared about a run (profdb runs set).';
COMMENT ON COLUMN run_facts.run_id IS 'The run of table runs that the fact is about.';
COMMENT ON COLUMN run_facts.key IS 'What is declared, such as image, input_len or concurrency.';
COMMENT ON COLUMN run_facts.value IS 'The declared text, kept as typed; declared is not measured.';

CREATE TABLE profiles (
    profile_id INTEGER, run_id INTEGER, rank INTEGER, source_path VARCHAR, format VARCHAR,
    platform VARCHAR, device_name VARCHAR, layout VARCHAR, captured_at TIMESTAMP,
    captured_local VARCHAR, start_ns BIGINT, end_ns BIGINT, has_contexts BOOLEAN, digest VARCHAR,
    counters VARCHAR[], metadata VARCHAR, ingested_at TIMESTAMP, profdb_version VARCHAR
);
COMMENT ON TABLE profiles IS 'One row per profile: what the profiler of one rank recorded in one window.';
COMMENT ON COLUMN profiles.profile_id IS 'Number of the profile in this warehouse.';
COMMENT ON COLUMN profiles.run_id IS 'The run of table runs that the profile belongs to.';
COMMENT ON COLUMN profiles.rank IS 'Global rank by metadata or file name; -1 where unknown.';
COMMENT ON COLUMN profiles.source_path IS 'File or folder that was ingested, as an absolute path of that host.';
COMMENT ON COLUMN profiles.format IS 'Reader that stored it: chrome (Kineto JSON) or ascend_csv.';
COMMENT ON COLUMN profiles.platform IS 'cuda, rocm, ascend, or unknown: decides which family rules apply.';
COMMENT ON COLUMN profiles.device_name IS 'Device name as the profiler wrote it; NULL where it wrote none.';
COMMENT ON COLUMN profiles.layout IS 'Parallel layout by file name, such as dp0 pp0 tp0 ep0; NULL where unknown.';
COMMENT ON COLUMN profiles.captured_at IS 'Time of the first device event, UTC; NULL where timestamps are not absolute.';
COMMENT ON COLUMN profiles.captured_local IS 'Local time in the folder name, as text, since its time zone is unknown.';
COMMENT ON COLUMN profiles.start_ns IS 'Start of the first device event, ns since the epoch.';
COMMENT ON COLUMN profiles.end_ns IS 'End of the last device event, ns since the epoch.';
COMMENT ON COLUMN profiles.has_contexts IS 'Whether any step was found; without one every launch is of phase unknown.';
COMMENT ON COLUMN profiles.digest IS 'SHA-256 over the content of the source files: the same content is stored once.';
COMMENT ON COLUMN profiles.counters IS 'Names of the values in kernels.counters, in their order.';
COMMENT ON COLUMN profiles.metadata IS 'Metadata of the profiler beside the events, JSON text.';
COMMENT ON COLUMN profiles.ingested_at IS 'When the profile was stored, UTC.';
COMMENT ON COLUMN profiles.profdb_version IS 'Version of profdb that stored the profile.';

CREATE TABLE trust_reasons (profile_id INTEGER, level VARCHAR, reason VARCHAR, events BIGINT);
COMMENT ON TABLE trust_reasons IS 'One row per reason to trust a profile less.';
COMMENT ON COLUMN trust_reasons.profile_id IS 'The profile of table profiles that is doubted.';
COMMENT ON COLUMN trust_reasons.level IS 'How far trust falls: limited or poor.';
COMMENT ON COLUMN trust_reasons.reason IS 'What was found, as a phrase.';
COMMENT ON COLUMN trust_reasons.events IS 'How many events or steps show it.';

CREATE TABLE files (
    file_id INTEGER, profile_id INTEGER, path VARCHAR, size_bytes BIGINT, sha256 VARCHAR,
    container VARCHAR
);
COMMENT ON TABLE files IS 'One row per source file of a profile.';
COMMENT ON COLUMN files.file_id IS 'Number of the file in this warehouse.';
COMMENT ON COLUMN files.profile_id IS 'The profile of table profiles that the file was read into.';
COMMENT ON COLUMN files.path IS 'Absolute path on the host that ingested it.';
COMMENT ON COLUMN files.size_bytes IS 'Size on disk, compressed where the file is, bytes.';
COMMENT ON COLUMN files.sha256 IS 'SHA-256 of the content, unpacked where the file is packed.';
COMMENT ON COLUMN files.container IS 'How the content was packed: plain, gzip or zip.';

CREATE TABLE ledger (
    profile_id INTEGER, file_id INTEGER, category VARCHAR, seen BIGINT, stored BIGINT,
    set_aside BIGINT, reason VARCHAR
);
COMMENT ON TABLE ledger IS 'One row per profile, file and event category: what became of every event.';
COMMENT ON COLUMN ledger.profile_id IS 'The profile of table profiles that was counted.';
COMMENT ON COLUMN ledger.file_id IS 'The file of table files that the events stand in.';
COMMENT ON COLUMN ledger.category IS 'Event category of the format; (ph M) and the like where it has none.';
COMMENT ON COLUMN ledger.seen IS 'Events in the source file.';
COMMENT ON COLUMN ledger.stored IS 'Events that became a row of kernels or events.';
COMMENT ON COLUMN ledger.set_aside IS 'Events that were not stored; seen = stored + set_aside.';
COMMENT ON COLUMN ledger.reason IS 'Why events were set aside or repaired; NULL where none was.';

CREATE TABLE names (name_id INTEGER, name VARCHAR);
COMMENT ON TABLE names IS 'One row per distinct text: operators, host events, data types.';
COMMENT ON COLUMN names.name_id IS 'Number by which other tables refer to the text.';
COMMENT ON COLUMN names.name IS 'The text, byte for byte as the profiler wrote it.';

CREATE TABLE kernel_names (
    kernel_id INTEGER, kind VARCHAR, name VARCHAR, platform VARCHAR, op_type VARCHAR,
    stable_name VARCHAR, family VARCHAR, implementation VARCHAR, rule INTEGER
);
COMMENT ON TABLE kernel_names IS 'One row per distinct kernel name, platform and vendor operator type.';
COMMENT ON COLUMN kernel_names.kernel_id IS 'Number by which kernels refer to the name.';
COMMENT ON COLUMN kernel_names.kind IS 'kernel, memcpy or memset.';
COMMENT ON COLUMN kernel_names.name IS 'Name of the kernel, byte for byte as the profiler wrote it.';
COMMENT ON COLUMN kernel_names.platform IS 'Platform of the profiles that it was seen on.';
COMMENT ON COLUMN kernel_names.op_type IS 'Operator type of the vendor (Ascend); empty elsewhere.';
COMMENT ON COLUMN kernel_names.stable_name IS 'The name without generated numbering and counters.';
COMMENT ON COLUMN kernel_names.family IS 'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN kernel_names.implementation IS 'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN kernel_names.rule IS 'Rule of table family_rules that named it; NULL where none did.';

CREATE TABLE family_rules (
    rule INTEGER, platform VARCHAR, applies_to VARCHAR, pattern VARCHAR, family VARCHAR,
    implementation VARCHAR
);
COMMENT ON TABLE family_rules IS 'One row per rule that gives kernels their family; the lowest number that matches wins.';
COMMENT ON COLUMN family_rules.rule IS 'Number and order of the rule.';
COMMENT ON COLUMN family_rules.platform IS 'Platform that it holds for; any for all.';
COMMENT ON COLUMN family_rules.applies_to IS 'What the pattern is matched against: name or op_type.';
COMMENT ON COLUMN family_rules.pattern IS 'Regular expression (RE2) to be found in the text.';
COMMENT ON COLUMN family_rules.family IS 'Family that a match gives.';
COMMENT ON COLUMN family_rules.implementation IS 'Implementation that a match gives.';

CREATE TABLE token_tensors (op VARCHAR, tensor INTEGER);
COMMENT ON TABLE token_tensors IS 'One row per operator whose first matrix is a weight: which tensor counts the tokens.';
COMMENT ON COLUMN token_tensors.op IS 'Name of the operator.';
COMMENT ON COLUMN token_tensors.tensor IS 'Position of the tensor whose leading dimension is the tokens, from 1.';

CREATE TABLE shapes (shape_id INTEGER, shape VARCHAR, tokens BIGINT);
COMMENT ON TABLE shapes IS 'One row per distinct shape of all input tensors of an operator.';
COMMENT ON COLUMN shapes.shape_id IS 'Number by which kernels refer to the shape.';
COMMENT ON COLUMN shapes.shape IS 'Dimensions joined by comma, tensors by semicolon; empty where unknown.';
COMMENT ON COLUMN shapes.tokens IS 'Leading dimension of the first tensor with two or more; NULL where there is none.';

CREATE TABLE contexts (
    context_id BIGINT, profile_id INTEGER, step_index BIGINT, name VARCHAR, phase VARCHAR,
    source VARCHAR, complete BOOLEAN, context_requests BIGINT, context_tokens BIGINT,
    generation_requests BIGINT, generation_tokens BIGINT, start_ns BIGINT, end_ns BIGINT
);
COMMENT ON TABLE contexts IS 'One row per context: one forward pass or step on one rank.';
COMMENT ON COLUMN contexts.context_id IS 'Number of the context in this warehouse.';
COMMENT ON COLUMN contexts.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN contexts.step_index IS 'Step number of the profiler where it gives one, else the place in time from 0.';
COMMENT ON COLUMN contexts.name IS 'Text of the annotation.';
COMMENT ON COLUMN contexts.phase IS 'prefill, prefill_tail, decode, mixed, idle or unknown.';
COMMENT ON COLUMN contexts.source IS 'How it was found: annotation, profiler step or step id.';
COMMENT ON COLUMN contexts.complete IS 'False where the window cut it or a launch call of it has no device work.';
COMMENT ON COLUMN contexts.context_requests IS 'Requests whose prompt was being read; NULL where not told.';
COMMENT ON COLUMN contexts.context_tokens IS 'Prompt tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN contexts.generation_requests IS 'Requests that were generating; NULL where not told.';
COMMENT ON COLUMN contexts.generation_tokens IS 'Generation tokens scheduled in the step; NULL where not told.';
COMMENT ON COLUMN contexts.start_ns IS 'Start of the annotation on the host, ns since the epoch.';
COMMENT ON COLUMN contexts.end_ns IS 'End of the annotation on the host, ns since the epoch; its device work may end later.';

CREATE TABLE kernels (
    profile_id INTEGER, device INTEGER, stream BIGINT, start_ns BIGINT, dur_ns BIGINT,
    kernel_id INTEGER, op_id INTEGER, host_op_id INTEGER, shape_id INTEGER, shape_source VARCHAR,
    dtype_id INTEGER, context_id BIGINT, attribution VARCHAR, correlation BIGINT,
    launch_ns BIGINT, graph_replay BOOLEAN, core VARCHAR, task_id BIGINT, model_id BIGINT,
    block_num BIGINT, mix_block_num BIGINT, wait_ns BIGINT, op_state VARCHAR, hf32 VARCHAR,
    input_formats VARCHAR, output_shapes VARCHAR, output_dtypes VARCHAR, output_formats VARCHAR,
    vendor_context VARCHAR, counters DOUBLE[], args VARCHAR USING COMPRESSION zstd
);
COMMENT ON TABLE kernels IS 'One row per launch: one execution of a kernel or copy on a device, in time order within a profile.';
COMMENT ON COLUMN kernels.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN kernels.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN kernels.stream IS 'Stream of the device; NULL for collectives of Ascend.';
COMMENT ON COLUMN kernels.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN kernels.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN kernels.kernel_id IS 'The name of table kernel_names.';
COMMENT ON COLUMN kernels.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN kernels.host_op_id IS 'The host operator that launched it, a text of table names; NULL where unknown.';
COMMENT ON COLUMN kernels.shape_id IS 'The input shapes, of table shapes.';
COMMENT ON COLUMN kernels.shape_source IS 'Where the shape comes from: operator arguments, vendor file or none.';
COMMENT ON COLUMN kernels.dtype_id IS 'Types of the input tensors, a text of table names; NULL where unknown.';
COMMENT ON COLUMN kernels.context_id IS 'The step of table contexts that launched it; NULL outside any.';
COMMENT ON COLUMN kernels.attribution IS 'How the step was found, or why there is none.';
COMMENT ON COLUMN kernels.correlation IS 'Id that links it to its launch call, within the profile; NULL where there is none.';
COMMENT ON COLUMN kernels.launch_ns IS 'Start of the launch call on the host, ns since the epoch; NULL where it was not recorded.';
COMMENT ON COLUMN kernels.graph_replay IS 'Whether the launch call replayed a graph.';
COMMENT ON COLUMN kernels.core IS 'Accelerator core (Ascend), HCCL written as COMMUNICATION; NULL elsewhere.';
COMMENT ON COLUMN kernels.task_id IS 'Task number (Ascend), which wraps around and is not unique.';
COMMENT ON COLUMN kernels.model_id IS 'Model number (Ascend); 4294967295 for eager work.';
COMMENT ON COLUMN kernels.block_num IS 'Blocks of the launch (Ascend: Block Dim or Block Num).';
COMMENT ON COLUMN kernels.mix_block_num IS 'Blocks on the second core type of a mixed kernel (Ascend).';
COMMENT ON COLUMN kernels.wait_ns IS 'Gap before it by the profiler (Ascend), rounded there to about 250 ns.';
COMMENT ON COLUMN kernels.op_state IS 'dynamic or static (Ascend).';
COMMENT ON COLUMN kernels.hf32 IS 'Whether HF32 was eligible (Ascend).';
COMMENT ON COLUMN kernels.input_formats IS 'Storage formats of the inputs (Ascend), joined by semicolon.';
COMMENT ON COLUMN kernels.output_shapes IS 'Shapes of the outputs (Ascend), written as in table shapes.';
COMMENT ON COLUMN kernels.output_dtypes IS 'Types of the outputs (Ascend), joined by semicolon.';
COMMENT ON COLUMN kernels.output_formats IS 'Storage formats of the outputs (Ascend), joined by semicolon.';
COMMENT ON COLUMN kernels.vendor_context IS 'Context ID as the vendor wrote it (Ascend): a part of the task, no step.';
COMMENT ON COLUMN kernels.counters IS 'Other numeric columns of the source, named by profiles.counters.';
COMMENT ON COLUMN kernels.args IS 'Everything else the source says of the launch, JSON text.';

CREATE TABLE categories (category_id INTEGER, category VARCHAR, ph VARCHAR);
COMMENT ON TABLE categories IS 'One row per event category and event form of Chrome traces.';
COMMENT ON COLUMN categories.category_id IS 'Number by which events refer to the category.';
COMMENT ON COLUMN categories.category IS 'Category as the profiler wrote it; NULL where it wrote none.';
COMMENT ON COLUMN categories.ph IS 'Form of the event: X span, i instant, s and f flow ends, M metadata, C counter.';

CREATE TABLE tracks (track_id INTEGER, profile_id INTEGER, process VARCHAR, thread VARCHAR);
COMMENT ON TABLE tracks IS 'One row per process and thread of a profile that host events stand on.';
COMMENT ON COLUMN tracks.track_id IS 'Number by which events refer to the track.';
COMMENT ON COLUMN tracks.profile_id IS 'The profile of table profiles that holds the track.';
COMMENT ON COLUMN tracks.process IS 'Process id or pseudo process, as text.';
COMMENT ON COLUMN tracks.thread IS 'Thread id or pseudo thread, as text.';

CREATE TABLE events (
    profile_id INTEGER, category_id INTEGER, name_id INTEGER, track_id INTEGER, start_ns BIGINT,
    dur_ns BIGINT, correlation BIGINT, external_id BIGINT, flow_id VARCHAR,
    args VARCHAR USING COMPRESSION zstd
);
COMMENT ON TABLE events IS 'One row per event that is no device work: host operators, runtime calls, annotations, flows.';
COMMENT ON COLUMN events.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN events.category_id IS 'The category of table categories.';
COMMENT ON COLUMN events.name_id IS 'The name, a text of table names.';
COMMENT ON COLUMN events.track_id IS 'The process and thread, of table tracks.';
COMMENT ON COLUMN events.start_ns IS 'Start, ns since the epoch; NULL for metadata without a time.';
COMMENT ON COLUMN events.dur_ns IS 'Duration, ns; NULL where the form of event has none.';
COMMENT ON COLUMN events.correlation IS 'Id that links a launch call to its device work.';
COMMENT ON COLUMN events.external_id IS 'Id that links a launch call to its host operator.';
COMMENT ON COLUMN events.flow_id IS 'Id of a flow arrow.';
COMMENT ON COLUMN events.args IS 'Arguments of the event, JSON text.';

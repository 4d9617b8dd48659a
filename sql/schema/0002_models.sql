-- Models to close launch counts with, what steps say beyond their tokens, graph replays, rules of
-- users.

ALTER TABLE contexts ADD COLUMN context_sk BIGINT;
ALTER TABLE contexts ADD COLUMN context_sqsq BIGINT;
ALTER TABLE contexts ADD COLUMN context_sqsk BIGINT;
ALTER TABLE contexts ADD COLUMN generation_sk BIGINT;
ALTER TABLE contexts ADD COLUMN generation_sqsq BIGINT;
ALTER TABLE contexts ADD COLUMN generation_sqsk BIGINT;
ALTER TABLE contexts ADD COLUMN padded_requests BIGINT;
COMMENT ON COLUMN contexts.phase IS 'prefill, prefill_tail, decode, mixed, draft, idle or unknown.';
COMMENT ON COLUMN contexts.source IS 'How it was found: annotation, device annotation, profiler step or step id.';
COMMENT ON COLUMN contexts.context_sk IS 'Key and value tokens that prompt requests attend to, summed; NULL where not told.';
COMMENT ON COLUMN contexts.context_sqsq IS 'Sum over prompt requests of squared scheduled tokens; NULL where not told.';
COMMENT ON COLUMN contexts.context_sqsk IS 'Sum over prompt requests of scheduled tokens times tokens attended to; NULL where not told.';
COMMENT ON COLUMN contexts.generation_sk IS 'Key and value tokens that generating requests attend to, summed; NULL where not told.';
COMMENT ON COLUMN contexts.generation_sqsq IS 'Sum over generating requests of squared scheduled tokens; NULL where not told.';
COMMENT ON COLUMN contexts.generation_sqsk IS 'Sum over generating requests of scheduled tokens times tokens attended to; NULL where not told.';
COMMENT ON COLUMN contexts.padded_requests IS 'Requests that a replayed graph was captured for; NULL where not told.';

ALTER TABLE kernels ADD COLUMN graph_node_id BIGINT;
COMMENT ON COLUMN kernels.graph_node_id IS 'Node of the replayed graph, the same in every replay; NULL where not told.';
COMMENT ON COLUMN kernels.shape_source IS 'Where the shape comes from: operator arguments, vendor file, capture or none.';

CREATE TABLE graph_launches (
    profile_id INTEGER, correlation BIGINT, context_id BIGINT, launch_ns BIGINT
);
COMMENT ON TABLE graph_launches IS 'One row per launch call that replayed a graph, whether or not work of it was recorded.';
COMMENT ON COLUMN graph_launches.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN graph_launches.correlation IS 'Id that links it to its device work.';
COMMENT ON COLUMN graph_launches.context_id IS 'The step of table contexts that made the call; NULL outside any.';
COMMENT ON COLUMN graph_launches.launch_ns IS 'Start of the call on the host, ns since the epoch.';

CREATE TABLE unread_steps (profile_id INTEGER, name VARCHAR, spans BIGINT);
COMMENT ON TABLE unread_steps IS 'One row per profile and annotation that looks like a step and is not understood.';
COMMENT ON COLUMN unread_steps.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN unread_steps.name IS 'Text of the annotation.';
COMMENT ON COLUMN unread_steps.spans IS 'How often it was recorded.';

CREATE TABLE user_rules (
    place INTEGER, platform VARCHAR, applies_to VARCHAR, pattern VARCHAR, family VARCHAR,
    implementation VARCHAR, source_path VARCHAR
);
COMMENT ON TABLE user_rules IS 'One row per family rule that a user added; they come before the shipped ones.';
COMMENT ON COLUMN user_rules.place IS 'Order among the rules of users, from 1.';
COMMENT ON COLUMN user_rules.platform IS 'Platform that it holds for; any for all.';
COMMENT ON COLUMN user_rules.applies_to IS 'What the pattern is matched against: name or op_type.';
COMMENT ON COLUMN user_rules.pattern IS 'Regular expression (RE2) to be found in the text.';
COMMENT ON COLUMN user_rules.family IS 'Family that a match gives.';
COMMENT ON COLUMN user_rules.implementation IS 'Implementation that a match gives.';
COMMENT ON COLUMN user_rules.source_path IS 'File that it was added from.';

ALTER TABLE family_rules ADD COLUMN origin VARCHAR;
COMMENT ON COLUMN family_rules.rule IS 'Number and order of the rule; those of users are negative.';
COMMENT ON COLUMN family_rules.origin IS 'File of a user that it was added from; NULL for a shipped rule.';

CREATE TABLE served_kinds (family VARCHAR, implementation VARCHAR, kind VARCHAR);
COMMENT ON TABLE served_kinds IS 'One row per family and implementation that may serve modules of a model.';
COMMENT ON COLUMN served_kinds.family IS 'Family of kernels.';
COMMENT ON COLUMN served_kinds.implementation IS 'Implementation; * for all that no other row names.';
COMMENT ON COLUMN served_kinds.kind IS 'Kind of modules served; beside for helpers of a main kernel, which serve none.';

CREATE TABLE models (
    model_id INTEGER, name VARCHAR, architecture VARCHAR, layers INTEGER, source_path VARCHAR,
    config VARCHAR, added_at TIMESTAMP
);
COMMENT ON TABLE models IS 'One row per model spec.';
COMMENT ON COLUMN models.model_id IS 'Number of the model in this warehouse.';
COMMENT ON COLUMN models.name IS 'Unique name by which commands and views address it.';
COMMENT ON COLUMN models.architecture IS 'Architecture of the configuration; declared for a spec by hand.';
COMMENT ON COLUMN models.layers IS 'Layers of the target model.';
COMMENT ON COLUMN models.source_path IS 'File that it was read from.';
COMMENT ON COLUMN models.config IS 'Content of that file.';
COMMENT ON COLUMN models.added_at IS 'When it was added, UTC.';

CREATE TABLE model_modules (
    model_id INTEGER, module VARCHAR, kind VARCHAR, pass VARCHAR, runs_in VARCHAR,
    inputs BIGINT, outputs BIGINT, absorbed_by VARCHAR
);
COMMENT ON TABLE model_modules IS 'One row per model, pass and module: a part of the model that launches kernels.';
COMMENT ON COLUMN model_modules.model_id IS 'The model of table models.';
COMMENT ON COLUMN model_modules.module IS 'Name of the module, such as gate_up or lm_head.';
COMMENT ON COLUMN model_modules.kind IS 'linear, experts, attention or linear_attention.';
COMMENT ON COLUMN model_modules.pass IS 'target, or draft for the draft model of speculative decoding.';
COMMENT ON COLUMN model_modules.runs_in IS 'Where it runs: any, or only with prefill or decode tokens.';
COMMENT ON COLUMN model_modules.inputs IS 'Input features of a linear, of the whole model; NULL where not told.';
COMMENT ON COLUMN model_modules.outputs IS 'Output features of a linear, of the whole model; NULL where not told.';
COMMENT ON COLUMN model_modules.absorbed_by IS 'What may do its work in its own launch; NULL where it always launches by itself.';

CREATE TABLE model_sequence (
    model_id INTEGER, pass VARCHAR, position INTEGER, layer INTEGER, module VARCHAR
);
COMMENT ON TABLE model_sequence IS 'One row per run of a module in a forward pass, in order.';
COMMENT ON COLUMN model_sequence.model_id IS 'The model of table models.';
COMMENT ON COLUMN model_sequence.pass IS 'target or draft.';
COMMENT ON COLUMN model_sequence.position IS 'Place in the pass, from 0.';
COMMENT ON COLUMN model_sequence.layer IS 'Layer from 0; NULL outside the layers.';
COMMENT ON COLUMN model_sequence.module IS 'The module of table model_modules.';

CREATE TABLE model_maps (
    run_id INTEGER, model_id INTEGER, phase VARCHAR, family VARCHAR, implementation VARCHAR,
    module VARCHAR, multiplicity INTEGER, origin VARCHAR
);
COMMENT ON TABLE model_maps IS 'One row per run, model, phase and module: which kernels serve it.';
COMMENT ON COLUMN model_maps.run_id IS 'The run of table runs.';
COMMENT ON COLUMN model_maps.model_id IS 'The model of table models.';
COMMENT ON COLUMN model_maps.phase IS 'Phase of the steps.';
COMMENT ON COLUMN model_maps.family IS 'Family of the kernels that serve the module; NULL where another module absorbs it.';
COMMENT ON COLUMN model_maps.implementation IS 'Implementation of these kernels.';
COMMENT ON COLUMN model_maps.module IS 'The module of table model_modules.';
COMMENT ON COLUMN model_maps.multiplicity IS 'Launches per run of the module; 0 where another module absorbs it.';
COMMENT ON COLUMN model_maps.origin IS 'declared, inferred, or ambiguous where the evidence allows another map.';

CREATE TABLE map_readings (
    run_id INTEGER, model_id INTEGER, phase VARCHAR, kind VARCHAR, place INTEGER, closes BOOLEAN,
    assignments BIGINT, reading VARCHAR, evidence VARCHAR
);
COMMENT ON TABLE map_readings IS 'One row per way to read the launch counts of a phase with a model.';
COMMENT ON COLUMN map_readings.run_id IS 'The run of table runs.';
COMMENT ON COLUMN map_readings.model_id IS 'The model of table models.';
COMMENT ON COLUMN map_readings.phase IS 'Phase of the steps.';
COMMENT ON COLUMN map_readings.kind IS 'Kind of modules: linear, experts, attention or linear_attention.';
COMMENT ON COLUMN map_readings.place IS 'Place among the readings of the phase and kind, the likeliest first, from 1.';
COMMENT ON COLUMN map_readings.closes IS 'Whether all families close in it.';
COMMENT ON COLUMN map_readings.assignments IS 'Assignments of single modules that it stands for: modules of equal counts may be swapped.';
COMMENT ON COLUMN map_readings.reading IS 'The reading in words, such as LLMM1 = 64 gate_up + 48 qkvz.';
COMMENT ON COLUMN map_readings.evidence IS 'What speaks for it beyond the counts; NULL where nothing does.';

-- What is kept of traces of captured graphs. They go through stage.raw one by one, before the
-- profile's own events do.

-- The trace that is in stage.raw: its number among the files, and the size that its name tells.
CREATE TABLE stage.capture_file (file INTEGER, size BIGINT);
CREATE TABLE stage.capture_ledger (file INTEGER, category VARCHAR, seen BIGINT);

-- One row per captured graph, or, where no calls mark graphs, per annotation: the size it is
-- captured for, in tokens or in requests, and which of how many graphs of that annotation it is.
CREATE TABLE stage.capture_graphs (
    graph_no BIGINT, size BIGINT, of_tokens BOOLEAN, place BIGINT, pieces BIGINT, marked BOOLEAN
);
-- Its launches in the order of the calls; the name is NULL where the trace does not tell it.
CREATE TABLE stage.capture_launches (
    graph_no BIGINT, launch_no BIGINT, name VARCHAR, op VARCHAR, shape VARCHAR, dtype VARCHAR
);
-- Which sequences of launches the sequences of replayed kernels are, and which launch each kernel.
CREATE TABLE stage.capture_matches (match_no BIGINT, pattern_no BIGINT, sequence_no BIGINT);
CREATE TABLE stage.capture_pairs (match_no BIGINT, position BIGINT, launch_no BIGINT);

-- Names as both sides have them: only one of them may carry the suffix of a kernel descriptor.
CREATE OR REPLACE TEMP MACRO bare_name(name) AS
    regexp_replace(name, '( \[clone \.kd\]|\.kd)$', '');

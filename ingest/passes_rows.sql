-- Launches in the order of their start, per device; texts as ids.
CREATE TABLE stage.pass_ops AS
SELECT row_number() OVER (ORDER BY op) - 1 AS id, op
FROM (SELECT DISTINCT coalesce(op, name) AS op FROM stage.work);
CREATE TABLE stage.pass_shapes AS
SELECT row_number() OVER (ORDER BY shape) - 1 AS id, shape
FROM (SELECT DISTINCT shape FROM stage.work);
CREATE TABLE stage.pass_rows AS
SELECT w.rowid AS row_no, w.device, w.start_ns, w.dur_ns, o.id AS op, s.id AS shape,
    row_number() OVER (
        PARTITION BY w.device ORDER BY w.start_ns, w.stream, w.task_id, o.id, s.id
    ) - 1 AS place
FROM stage.work AS w
JOIN stage.pass_ops AS o ON o.op = coalesce(w.op, w.name)
JOIN stage.pass_shapes AS s ON s.shape = w.shape
WHERE w.start_ns IS NOT NULL;
CREATE TABLE stage.inferred (
    device INTEGER, first_place BIGINT, last_place BIGINT, tokens BIGINT, complete BOOLEAN,
    phase VARCHAR
);

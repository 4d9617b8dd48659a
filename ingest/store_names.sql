INSERT INTO files
SELECT i.first_file + f.rowid, i.profile_id, f.path, f.size_bytes, f.sha256, f.container, f.beside
FROM stage.files AS f CROSS JOIN ids AS i;

INSERT INTO ledger
SELECT i.profile_id, i.first_file + l.file - 1, l.category, l.seen, l.stored, l.set_aside, l.reason
FROM stage.ledger AS l CROSS JOIN ids AS i;

INSERT INTO trust_reasons
SELECT i.profile_id, t.level, t.reason, t.events FROM stage.trust AS t CROSS JOIN ids AS i;

INSERT INTO contexts BY NAME
SELECT i.first_context + c.context_no AS context_id, i.profile_id, c.* EXCLUDE (context_no)
FROM stage.contexts AS c CROSS JOIN ids AS i;

INSERT INTO unread_steps BY NAME
SELECT i.profile_id, u.* FROM stage.unread_steps AS u CROSS JOIN ids AS i;

INSERT INTO graph_launches BY NAME
SELECT i.profile_id, g.correlation, i.first_context + g.context_no AS context_id, g.launch_ns
FROM stage.graph_launches AS g CROSS JOIN ids AS i;

INSERT INTO shapes
SELECT start.id + row_number() OVER (ORDER BY s.shape), s.shape,
    CAST(nullif(regexp_extract(s.shape, '(?:^|;)(\d+),', 1), '') AS BIGINT)
FROM (SELECT DISTINCT shape FROM stage.work) AS s
CROSS JOIN (SELECT coalesce(max(shape_id), 0) AS id FROM shapes) AS start
ANTI JOIN shapes AS known ON known.shape = s.shape;

CREATE OR REPLACE TEMP TABLE new_kernels AS
SELECT start.id + row_number() OVER (ORDER BY n.name, n.op_type, n.kind) AS kernel_id,
    n.kind, n.name, n.platform, n.op_type, n.name AS stable_name,
    CAST(NULL AS VARCHAR) AS family, CAST(NULL AS VARCHAR) AS implementation,
    CAST(NULL AS INTEGER) AS rule
FROM (
    SELECT DISTINCT w.kind, w.name, p.platform, coalesce(w.op_type, '') AS op_type
    FROM stage.work AS w CROSS JOIN stage.profile AS p
) AS n
CROSS JOIN (SELECT coalesce(max(kernel_id), 0) AS id FROM kernel_names) AS start
ANTI JOIN kernel_names AS known
    ON known.name = n.name AND known.op_type = n.op_type
    AND known.kind = n.kind AND known.platform = n.platform;

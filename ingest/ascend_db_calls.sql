-- Texts by id, as they are and as cells of a kernel table, where the vendor writes N/A for nothing.
CREATE TABLE stage.texts AS
SELECT id, value, CASE WHEN value NOT IN ('N/A', '', 'NULL', '-', 'inf') THEN value END AS cell
FROM (SELECT id, any_value(value) AS value FROM stage.STRING_IDS GROUP BY id);

-- What kinds of host calls are called; the numbers are those of the schema's first version.
CREATE TABLE stage.api_types AS
SELECT s.id, coalesce(any_value(e.name), s.name) AS name, s.name AS meaning
FROM (VALUES (5000, 'runtime'), (5500, 'communication'), (10000, 'node'), (15000, 'model'),
    (20000, 'acl'), (50001, 'op'), (50002, 'queue'), (50003, 'trace'), (50004, 'mstx'))
    AS s (id, name)
LEFT JOIN stage.ENUM_API_TYPE AS e USING (id)
GROUP BY s.id, s.name;

-- Per connection the call that launched, which is the last to begin, and the operator around it.
CREATE TABLE stage.launch_calls AS
SELECT c.connectionId, c.start_ns, c.globalTid, t.value AS name
FROM (
    SELECT connectionId, max(startNs) AS start_ns, arg_max(globalTid, startNs) AS globalTid,
        arg_max(name, startNs) AS name
    FROM stage.CANN_API WHERE startNs IS NOT NULL AND connectionId IS NOT NULL
    GROUP BY connectionId
) AS c
LEFT JOIN stage.texts AS t ON t.id = c.name;
CREATE TABLE stage.host_ops AS
SELECT o.connectionId, o.start_ns, o.globalTid, t.value AS name
FROM (
    SELECT i.connectionId, max(a.startNs) AS start_ns, arg_max(a.globalTid, a.startNs) AS globalTid,
        arg_max(a.name, a.startNs) AS name
    FROM stage.PYTORCH_API AS a
    JOIN stage.CONNECTION_IDS AS i ON i.id = a.connectionId
    WHERE a.startNs IS NOT NULL AND coalesce(a.type, 50001) = 50001
    GROUP BY i.connectionId
) AS o
LEFT JOIN stage.texts AS t ON t.id = o.name;
DROP TABLE stage.CONNECTION_IDS;

-- The modules of a model, in the order of their first run.
SELECT c.pass, c.module, c.kind, c.runs_in, c.count, c.layers, c.inputs, c.outputs, c.absorbed_by
FROM model_counts AS c
JOIN (
    SELECT s.pass, s.module, min(s.position) AS position
    FROM model_sequence AS s JOIN models AS m ON m.model_id = s.model_id
    WHERE m.name = $name GROUP BY s.pass, s.module
) AS p ON p.pass = c.pass AND p.module = c.module
WHERE c.model = $name ORDER BY c.pass DESC, p.position;

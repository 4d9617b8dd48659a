SELECT x.module AS name, x.kind, x.runs_in, x.inputs, x.outputs, x.absorbed_by, x.pass AS in_pass
FROM model_modules AS x JOIN models AS m ON m.model_id = x.model_id
WHERE m.name = $name
ORDER BY x.pass DESC, (
    SELECT min(s.position) FROM model_sequence AS s
    WHERE s.model_id = x.model_id AND s.pass = x.pass AND s.module = x.module
);

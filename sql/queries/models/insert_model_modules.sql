-- rows is a JSON list of objects.
INSERT INTO model_modules BY NAME
SELECT unnest(from_json($rows, '[{"model_id": "INTEGER", "module": "VARCHAR", "kind": "VARCHAR",
    "pass": "VARCHAR", "runs_in": "VARCHAR", "inputs": "BIGINT", "outputs": "BIGINT",
    "absorbed_by": "VARCHAR"}]'), recursive := true);

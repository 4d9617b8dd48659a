-- rows is a JSON list of objects.
INSERT INTO model_sequence BY NAME
SELECT unnest(from_json($rows, '[{"model_id": "INTEGER", "pass": "VARCHAR", "position": "INTEGER",
    "layer": "INTEGER", "module": "VARCHAR"}]'), recursive := true);

INSERT INTO models (model_id, name, architecture, layers, source_path, config, added_at)
SELECT $model_id, $name, $architecture, $layers, $source_path, $config,
    CAST(now() AT TIME ZONE 'UTC' AS TIMESTAMP);

SELECT coalesce(max(model_id), 0) + 1 AS model_id FROM models;

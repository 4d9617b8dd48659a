-- The numbers of a run and a model.
SELECT r.run_id, m.model_id, m.layers
FROM runs AS r CROSS JOIN models AS m
WHERE r.label = $run AND m.name = $model;

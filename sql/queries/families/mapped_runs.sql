-- Runs that have a map of a model.
SELECT DISTINCT r.label, m.name AS model
FROM model_maps AS a
JOIN runs AS r ON r.run_id = a.run_id
JOIN models AS m ON m.model_id = a.model_id
ORDER BY r.label, m.name;

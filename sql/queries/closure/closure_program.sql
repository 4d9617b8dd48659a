-- The modules of one forward pass, in the order in which they run.
SELECT s.module, s.layer
FROM model_sequence AS s
JOIN models AS m ON m.model_id = s.model_id
WHERE m.name = $model AND s.pass = $pass
ORDER BY s.position;

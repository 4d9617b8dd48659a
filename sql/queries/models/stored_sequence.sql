SELECT s.pass AS in_pass, s.position, s.layer, s.module
FROM model_sequence AS s JOIN models AS m ON m.model_id = s.model_id
WHERE m.name = $name ORDER BY s.pass DESC, s.position;

-- Store one reading of the launch counts.
INSERT INTO map_readings (run_id, model_id, phase, kind, place, closes, assignments, reading, evidence)
VALUES ($run_id, $model_id, $phase, $kind, $place, $closes, $assignments, $reading, $evidence);

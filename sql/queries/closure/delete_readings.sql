-- Forget the readings of a run and model in a phase and kind of modules.
DELETE FROM map_readings
WHERE run_id = $run_id AND model_id = $model_id AND phase = $phase AND kind = $kind;

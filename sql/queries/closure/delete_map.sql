-- Forget the map of a run and model in some phases and kinds of modules.
DELETE FROM model_maps
WHERE run_id = $run_id AND model_id = $model_id AND phase = $phase
    AND module IN (SELECT module FROM model_modules WHERE model_id = $model_id AND kind = $kind);

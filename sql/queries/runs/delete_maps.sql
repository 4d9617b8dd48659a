DELETE FROM model_maps WHERE run_id = (SELECT run_id FROM runs WHERE label = $label);

DELETE FROM map_readings WHERE run_id = (SELECT run_id FROM runs WHERE label = $label);

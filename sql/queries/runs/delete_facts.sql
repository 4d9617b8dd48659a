DELETE FROM run_facts WHERE run_id = (SELECT run_id FROM runs WHERE label = $label);

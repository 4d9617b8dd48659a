DELETE FROM run_facts
WHERE key = $key AND run_id = (SELECT run_id FROM runs WHERE label = $label);

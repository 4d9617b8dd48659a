INSERT INTO run_facts SELECT run_id, $key, $value FROM runs WHERE label = $label;

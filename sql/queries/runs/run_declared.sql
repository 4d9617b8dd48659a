SELECT f.key, f.value FROM run_facts AS f JOIN runs AS r ON r.run_id = f.run_id
WHERE r.label = $label ORDER BY f.key;

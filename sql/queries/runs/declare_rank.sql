UPDATE profiles SET rank = $rank
WHERE run_id = (SELECT run_id FROM runs WHERE label = $label);

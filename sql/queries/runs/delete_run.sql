DELETE FROM runs WHERE label = $label;

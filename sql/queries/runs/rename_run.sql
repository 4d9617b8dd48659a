UPDATE runs SET label = $new WHERE label = $label;

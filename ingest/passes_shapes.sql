SELECT shape FROM stage.pass_shapes ORDER BY id;

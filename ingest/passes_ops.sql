SELECT op FROM stage.pass_ops ORDER BY id;

SELECT count(*) FROM stage.contexts;

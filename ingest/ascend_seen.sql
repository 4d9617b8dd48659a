SELECT (SELECT sum(seen) FROM stage.ledger), (SELECT sum(tasks) FROM stage.other_tasks);

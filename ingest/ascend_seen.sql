-- All rows, and those of tasks that are no kernels.
SELECT (SELECT sum(seen) FROM stage.ledger), (SELECT sum(tasks) FROM stage.other_tasks);

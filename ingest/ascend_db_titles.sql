SELECT title FROM stage.counters ORDER BY position;

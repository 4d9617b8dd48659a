-- What becomes of the events of traces of captured graphs. Late, so that those of the profile's own
-- trace can be judged by the ledger before.
INSERT INTO stage.ledger BY NAME
SELECT file, category, sum(seen) AS seen, 0 AS stored, sum(seen) AS set_aside,
    'read for operators and shapes of replayed kernels' AS reason
FROM stage.capture_ledger
GROUP BY file, category;

-- What a table and a database of one profile both tell of a launch, as hashes. Collectives have no
-- shape in either.
INSERT INTO twin_launches
SELECT CAST($side AS INTEGER), hash(n.stable_name, w.start_ns, w.dur_ns),
    CASE WHEN w.core IS NOT NULL THEN hash(w.core) END,
    CASE WHEN w.shape <> '' AND w.core IS DISTINCT FROM 'COMMUNICATION' THEN hash(w.shape) END
FROM stage.work AS w JOIN new_kernels AS n ON n.name = w.name;

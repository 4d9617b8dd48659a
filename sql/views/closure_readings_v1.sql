-- How the launch counts of a phase can be read with a model, the likeliest first.
CREATE OR REPLACE VIEW closure_readings_v1 AS
SELECT
    r.label, p.rank, m.name AS model, a.phase, a.kind, a.place, a.closes, a.assignments,
    a.reading, a.evidence
FROM runs AS r
JOIN (SELECT DISTINCT run_id, rank FROM profiles) AS p ON p.run_id = r.run_id
JOIN map_readings AS a ON a.run_id = r.run_id
JOIN models AS m ON m.model_id = a.model_id;

COMMENT ON VIEW closure_readings_v1 IS
    'One row per model, phase, kind of modules and way to read the launch counts.';
COMMENT ON COLUMN closure_readings_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN closure_readings_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN closure_readings_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN closure_readings_v1.phase IS 'Phase of the steps.';
COMMENT ON COLUMN closure_readings_v1.kind IS 'linear, experts, attention or linear_attention.';
COMMENT ON COLUMN closure_readings_v1.place IS
    'Place among the readings of the phase and kind, the likeliest first, from 1.';
COMMENT ON COLUMN closure_readings_v1.closes IS 'Whether all families close in it.';
COMMENT ON COLUMN closure_readings_v1.assignments IS
    'Assignments of single modules that it stands for: modules of equal counts may be swapped.';
COMMENT ON COLUMN closure_readings_v1.reading IS
    'The reading in words, such as LLMM1 = 64 gate_up + 48 qkvz.';
COMMENT ON COLUMN closure_readings_v1.evidence IS
    'What speaks for it beyond the counts; NULL where nothing does.';

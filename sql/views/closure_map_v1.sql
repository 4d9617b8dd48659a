-- Which kernels serve which module of a model in a phase of a run, and how often it runs there.
CREATE OR REPLACE VIEW closure_map_v1 AS
WITH counts AS (
    SELECT model_id, pass, module, count(*) AS count, min(position) AS position
    FROM model_sequence
    GROUP BY model_id, pass, module
),
ranks AS (
    SELECT DISTINCT run_id, rank FROM profiles
)
SELECT
    r.label, p.rank, m.name AS model, a.phase, a.family, a.implementation, a.module, d.kind,
    c.count, a.multiplicity, a.origin,
    CAST(c.count * a.multiplicity AS DOUBLE) AS launches_per_step,
    c.position
FROM runs AS r
JOIN ranks AS p ON p.run_id = r.run_id
JOIN model_maps AS a ON a.run_id = r.run_id
JOIN models AS m ON m.model_id = a.model_id
JOIN model_modules AS d
    ON d.model_id = a.model_id AND d.module = a.module
    AND d.pass = CASE a.phase WHEN 'draft' THEN 'draft' ELSE 'target' END
JOIN counts AS c ON c.model_id = d.model_id AND c.pass = d.pass AND c.module = d.module;

COMMENT ON VIEW closure_map_v1 IS
    'One row per model, phase and module: the kernels that serve it; profdb model fit stores them.';
COMMENT ON COLUMN closure_map_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN closure_map_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN closure_map_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN closure_map_v1.phase IS 'prefill, prefill_tail, decode, mixed, draft or unknown.';
COMMENT ON COLUMN closure_map_v1.family IS
    'Family of the kernels that serve it; NULL where none were seen or another module does it.';
COMMENT ON COLUMN closure_map_v1.implementation IS
    'Implementation of these kernels; NULL where the family is.';
COMMENT ON COLUMN closure_map_v1.module IS 'Module of the model, such as gate_up or lm_head.';
COMMENT ON COLUMN closure_map_v1.kind IS 'linear, experts, attention or linear_attention.';
COMMENT ON COLUMN closure_map_v1.count IS 'Runs of the module in one forward pass.';
COMMENT ON COLUMN closure_map_v1.multiplicity IS
    'Launches per run of the module; 0 where another module does its work.';
COMMENT ON COLUMN closure_map_v1.origin IS
    'declared, inferred, or ambiguous where the evidence allows another map.';
COMMENT ON COLUMN closure_map_v1.launches_per_step IS 'count * multiplicity.';
COMMENT ON COLUMN closure_map_v1.position IS 'Place of its first run in a forward pass, from 0.';

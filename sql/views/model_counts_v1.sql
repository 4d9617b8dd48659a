-- How many of each module one forward pass runs.
CREATE OR REPLACE VIEW model_counts_v1 AS
SELECT
    m.name AS model, x.pass, x.module, x.kind, x.runs_in,
    count(s.module) AS count,
    count(DISTINCT s.layer) AS layers,
    x.inputs, x.outputs, x.absorbed_by
FROM models AS m
JOIN model_modules AS x ON x.model_id = m.model_id
LEFT JOIN model_sequence AS s
    ON s.model_id = x.model_id AND s.pass = x.pass AND s.module = x.module
GROUP BY
    m.name, x.pass, x.module, x.kind, x.runs_in, x.inputs, x.outputs, x.absorbed_by;

COMMENT ON VIEW model_counts_v1 IS
    'One row per model, pass and module: how often one forward pass runs it.';
COMMENT ON COLUMN model_counts_v1.model IS 'Model, by its unique name in table models.';
COMMENT ON COLUMN model_counts_v1.pass IS
    'target, or draft for the draft model of speculative decoding.';
COMMENT ON COLUMN model_counts_v1.module IS 'Name such as gate_up or lm_head.';
COMMENT ON COLUMN model_counts_v1.kind IS 'linear, experts, attention or linear_attention.';
COMMENT ON COLUMN model_counts_v1.runs_in IS
    'any, or the only kind of tokens that it runs with: prefill or decode.';
COMMENT ON COLUMN model_counts_v1.count IS
    'Runs in one forward pass that has the tokens of runs_in.';
COMMENT ON COLUMN model_counts_v1.layers IS 'Layers that hold it; 0 outside the layers.';
COMMENT ON COLUMN model_counts_v1.inputs IS
    'Input features of a linear, of the whole model; NULL where not told.';
COMMENT ON COLUMN model_counts_v1.outputs IS
    'Output features of a linear, of the whole model; NULL where not told.';
COMMENT ON COLUMN model_counts_v1.absorbed_by IS
    'What may do its work in its own launch; NULL where it always launches by itself.';

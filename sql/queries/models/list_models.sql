-- One row per model for the list of models; linears are those of one target pass.
SELECT m.name AS model, m.architecture, m.layers,
    CAST(coalesce(sum(c.count) FILTER (
        WHERE c.pass = 'target' AND c.kind = 'linear' AND c.runs_in <> 'decode'), 0) AS BIGINT)
        AS prefill_linears,
    CAST(coalesce(sum(c.count) FILTER (
        WHERE c.pass = 'target' AND c.kind = 'linear' AND c.runs_in <> 'prefill'), 0) AS BIGINT)
        AS decode_linears,
    CASE WHEN coalesce(bool_or(c.pass = 'draft'), false) THEN 'yes' ELSE 'no' END AS draft,
    m.source_path
FROM models AS m LEFT JOIN model_counts AS c ON c.model = m.name
GROUP BY m.name, m.architecture, m.layers, m.source_path ORDER BY m.name;

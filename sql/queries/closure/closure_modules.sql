-- The modules of a model that run in a phase, with how often in one forward pass, in its order.
SELECT
    c.module AS name, c.kind, c.count, c.inputs, c.outputs, c.absorbed_by
FROM model_counts_v1 AS c
JOIN models AS m ON m.name = c.model
JOIN model_sequence AS s
    ON s.model_id = m.model_id AND s.pass = c.pass AND s.module = c.module
WHERE c.model = $model
    AND c.pass = CASE WHEN $phase = 'draft' THEN 'draft' ELSE 'target' END
    AND (
        c.runs_in = 'any'
        OR (c.runs_in = 'prefill' AND $phase IN ('prefill', 'prefill_tail', 'mixed'))
        OR (c.runs_in = 'decode' AND $phase IN ('decode', 'mixed'))
    )
GROUP BY ALL
ORDER BY min(s.position);

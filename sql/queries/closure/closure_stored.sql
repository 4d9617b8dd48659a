-- The stored map with how far it closes, for the terminal.
SELECT
    m.phase, m.kind, coalesce(m.implementation, '–') AS kernels,
    string_agg(
        CASE WHEN m.multiplicity < 2 THEN '' ELSE CAST(m.multiplicity AS VARCHAR) || ' × ' END
            || CAST(m.count AS VARCHAR) || ' ' || m.module,
        ' + ' ORDER BY m.count DESC, m.position
    ) AS serves,
    any_value(c.commonest_per_step) AS seen, any_value(c.expected_per_step) AS expected,
    coalesce(any_value(c.status), 'absorbed') AS status,
    string_agg(DISTINCT m.origin, ', ' ORDER BY m.origin) AS origin
FROM closure_map_v1 AS m
LEFT JOIN closure_v1 AS c
    ON c.label = m.label AND c.rank = m.rank AND c.model = m.model AND c.phase = m.phase
    AND c.family = m.family AND c.implementation = m.implementation
WHERE m.label = $run AND m.model = $model AND ($phase IS NULL OR m.phase = $phase)
    AND m.rank = (SELECT min(o.rank) FROM closure_map_v1 AS o WHERE o.label = $run)
GROUP BY m.phase, m.kind, m.family, m.implementation
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], m.phase),
    list_position(['linear', 'experts', 'attention', 'linear_attention'], m.kind), kernels;

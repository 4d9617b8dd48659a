-- Groups of a stored map of which the run has no kernel at all.
SELECT DISTINCT m.family, m.implementation
FROM closure_map_v1 AS m
WHERE m.label = $run AND m.rank = $rank AND m.model = $model AND m.family IS NOT NULL
    AND NOT EXISTS (
        FROM kernel_rules_v1 AS k
        WHERE k.label = $run AND k.rank = $rank AND k.family = m.family
            AND k.implementation = m.implementation
    )
ORDER BY m.family, m.implementation;

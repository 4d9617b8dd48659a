-- The declared map of a run and model.
SELECT phase, module, family, implementation
FROM closure_map_v1
WHERE label = $run AND rank = $rank AND model = $model AND kind = 'linear'
    AND origin = 'declared';

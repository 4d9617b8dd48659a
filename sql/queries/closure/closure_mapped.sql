-- The phases and kinds of modules of which a run has a map, and whether it was declared.
SELECT phase, kind, bool_or(origin = 'declared') AS declared
FROM closure_map_v1
WHERE label = $run AND rank = $rank AND model = $model
GROUP BY phase, kind;

-- The families and implementations that a rank of a run has.
SELECT DISTINCT family, implementation
FROM launches_per_token_v1
WHERE label = $label AND rank = $rank
ORDER BY family, implementation;

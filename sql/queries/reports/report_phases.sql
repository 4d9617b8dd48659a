-- The phases that one rank of a run has.
SELECT DISTINCT phase
FROM phase_time_v1
WHERE label = $label AND rank = $rank
ORDER BY phase;

-- The phases of a run whose steps can be closed with a model, with their complete steps.
SELECT phase, sum(steps) AS steps
FROM _phase_steps_v1
WHERE label = $run AND rank = $rank AND phase <> 'idle' AND steps > 0
    AND ($phase IS NULL OR phase = $phase)
GROUP BY phase
ORDER BY list_position(
    ['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], phase
);

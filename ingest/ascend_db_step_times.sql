-- Steps of the profiler.
SELECT id, startNs, endNs FROM stage.STEP_TIME WHERE startNs IS NOT NULL ORDER BY startNs, id;

-- The ranks of the run.
SELECT DISTINCT rank FROM run_summary_v1 WHERE label = $run ORDER BY rank;

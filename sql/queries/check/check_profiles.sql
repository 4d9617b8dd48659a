-- Per profile of one run whether there is something of the vendor to check it against.
SELECT s.rank, s.profile_id, s.platform, s.source_path,
    count(*) FILTER (WHERE l.category = 'op_statistic') > 0 AS has_operators,
    count(*) FILTER (WHERE l.category IN ('step_trace_time', 'StepTraceTime')) > 0 AS has_steps
FROM run_summary_v1 AS s
LEFT JOIN ingest_ledger_v1 AS l ON l.label = s.label AND l.profile_id = s.profile_id
WHERE s.label = $label AND ($rank IS NULL OR s.rank = $rank)
GROUP BY s.rank, s.profile_id, s.platform, s.source_path
ORDER BY s.rank, s.profile_id;

-- Times in which the profiler recorded nothing of a device: tasks that it does not run beside.
CREATE OR REPLACE VIEW _pauses_v1 AS
SELECT
    r.label, p.rank, e.profile_id, TRY_CAST(t.process AS INTEGER) AS device, e.name_id,
    e.start_ns, e.dur_ns
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN events AS e ON e.profile_id = p.profile_id
JOIN categories AS c ON c.category_id = e.category_id
JOIN tracks AS t ON t.track_id = e.track_id
WHERE c.category = 'device pause';

COMMENT ON VIEW _pauses_v1 IS 'One row per pause of the recording on a device; from events.';
COMMENT ON COLUMN _pauses_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _pauses_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _pauses_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _pauses_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN _pauses_v1.name_id IS 'Kind of the task, a text of table names.';
COMMENT ON COLUMN _pauses_v1.start_ns IS 'Start, ns since the epoch.';
COMMENT ON COLUMN _pauses_v1.dur_ns IS 'Duration, ns.';

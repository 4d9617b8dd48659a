-- What became of every event of every source file.
CREATE OR REPLACE VIEW ingest_ledger_v1 AS
SELECT
    r.label, p.rank, f.path AS file, l.category, l.seen, l.stored, l.set_aside, l.reason,
    l.profile_id
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN ledger AS l ON l.profile_id = p.profile_id
LEFT JOIN files AS f ON f.file_id = l.file_id;

COMMENT ON VIEW ingest_ledger_v1 IS
    'One row per profile, source file and event category; from ledger.';
COMMENT ON COLUMN ingest_ledger_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN ingest_ledger_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN ingest_ledger_v1.file IS 'Absolute path on the host that ingested it.';
COMMENT ON COLUMN ingest_ledger_v1.category IS
    'Event category of the format; (ph M) and the like where it has none.';
COMMENT ON COLUMN ingest_ledger_v1.seen IS 'Events in the source file.';
COMMENT ON COLUMN ingest_ledger_v1.stored IS
    'Events that became a row of kernels, events or a vendor table.';
COMMENT ON COLUMN ingest_ledger_v1.set_aside IS 'Events that were not stored: seen - stored.';
COMMENT ON COLUMN ingest_ledger_v1.reason IS
    'Why events were set aside or repaired; NULL where none was.';
COMMENT ON COLUMN ingest_ledger_v1.profile_id IS 'The profile of table profiles that was counted.';

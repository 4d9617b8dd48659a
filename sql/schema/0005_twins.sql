-- A kernel table and a database of one profile: one is stored, and the other is compared with it.

CREATE TABLE twin_checks (
    profile_id INTEGER, path VARCHAR, format VARCHAR, launches BIGINT, agree BIGINT,
    only_stored BIGINT, only_twin BIGINT
);
COMMENT ON TABLE twin_checks IS 'One row per file that holds the same profile as the stored one in another format, compared when that was stored: launches alike in stable name, core, start, duration and input shape.';
COMMENT ON COLUMN twin_checks.profile_id IS 'The profile of table profiles.';
COMMENT ON COLUMN twin_checks.path IS 'The file that was compared and is not stored.';
COMMENT ON COLUMN twin_checks.format IS 'Its format: ascend_csv (text) or ascend_db (database).';
COMMENT ON COLUMN twin_checks.launches IS 'Launches of the stored profile.';
COMMENT ON COLUMN twin_checks.agree IS 'Those that the other file has alike.';
COMMENT ON COLUMN twin_checks.only_stored IS 'Stored launches that the other file does not have so: launches - agree.';
COMMENT ON COLUMN twin_checks.only_twin IS 'Launches of the other file that are not stored so.';

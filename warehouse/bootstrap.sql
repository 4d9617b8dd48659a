-- What a database needs to be a warehouse, before the first migration.

CREATE TABLE _migrations (
    number INTEGER PRIMARY KEY,
    name VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL,
    profdb_version VARCHAR NOT NULL
);

COMMENT ON TABLE _migrations IS 'One row per schema migration that was applied to this file.';
COMMENT ON COLUMN _migrations.number IS 'Number of the migration; the highest is the schema version of the file.';
COMMENT ON COLUMN _migrations.name IS 'Name of the migration file without number and ending.';
COMMENT ON COLUMN _migrations.sha256 IS 'SHA-256 of the text that was applied; a changed text is refused.';
COMMENT ON COLUMN _migrations.applied_at IS 'When it was applied (UTC).';
COMMENT ON COLUMN _migrations.profdb_version IS 'Version of profdb that applied it.';

CREATE TABLE _meta (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);

COMMENT ON TABLE _meta IS 'One row per fact that profdb keeps about this file itself.';
COMMENT ON COLUMN _meta.key IS 'Name of the fact, such as views_digest.';
COMMENT ON COLUMN _meta.value IS 'The fact as text.';

INSERT INTO _migrations (number, name, sha256, applied_at, profdb_version)
VALUES ($number, $name, $sha256, $applied_at, $profdb_version);

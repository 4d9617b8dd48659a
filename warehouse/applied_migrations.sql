SELECT number, name, sha256, profdb_version FROM _migrations ORDER BY number;

SELECT coalesce(tags['storage_version'], '') FROM duckdb_databases()
WHERE database_name = current_database();

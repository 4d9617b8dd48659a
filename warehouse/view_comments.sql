SELECT view_name, comment
FROM duckdb_views()
WHERE schema_name = 'main' AND NOT internal;

-- Tables and views that people or profdb made; nothing of DuckDB's own.
SELECT table_name AS name, 'table' AS kind
FROM duckdb_tables()
WHERE schema_name = 'main' AND NOT internal AND NOT temporary
UNION ALL
SELECT view_name, 'view'
FROM duckdb_views()
WHERE schema_name = 'main' AND NOT internal AND NOT temporary;

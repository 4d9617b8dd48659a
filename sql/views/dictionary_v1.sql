-- What there is to query, for a shell that has nothing but this file. The one view that is of
-- DuckDB alone; names with a leading underscore are internal.
CREATE OR REPLACE VIEW dictionary_v1 AS
SELECT table_name AS object, 'table' AS kind, CAST(NULL AS VARCHAR) AS column_name, comment
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main'
    AND NOT internal AND NOT temporary AND NOT starts_with(table_name, '_')
UNION ALL
SELECT view_name, 'view', NULL, comment
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main'
    AND NOT internal AND NOT temporary AND NOT starts_with(view_name, '_')
UNION ALL
SELECT
    c.table_name,
    CASE WHEN v.view_name IS NULL THEN 'table' ELSE 'view' END,
    c.column_name,
    c.comment
FROM duckdb_columns() AS c
LEFT JOIN duckdb_views() AS v
    ON v.database_name = c.database_name AND v.schema_name = c.schema_name
    AND v.view_name = c.table_name
WHERE c.database_name = current_database() AND c.schema_name = 'main'
    AND NOT c.internal AND NOT starts_with(c.table_name, '_');

COMMENT ON VIEW dictionary_v1 IS
    'One row per table or view, and one per column of it: grain, unit, source or formula.';
COMMENT ON COLUMN dictionary_v1.object IS
    'Name of the table or view; name_vN is a version, name the newest of them.';
COMMENT ON COLUMN dictionary_v1.kind IS 'table or view.';
COMMENT ON COLUMN dictionary_v1.column_name IS
    'The column that is explained; NULL in the row of the object itself.';
COMMENT ON COLUMN dictionary_v1.comment IS 'What it holds: grain, unit, source or formula.';

-- The COMMENT statements that give each alias the comments of its view, as one text.
-- $views and $aliases are lists of equal length.
WITH pairs AS (
    SELECT unnest($views::VARCHAR[]) AS view_name, unnest($aliases::VARCHAR[]) AS alias
),
statements AS (
    SELECT
        'COMMENT ON VIEW "' || alias || '" IS '''
        || replace(comment, '''', '''''') || ''';' AS statement
    FROM duckdb_views() JOIN pairs USING (view_name)
    WHERE schema_name = 'main' AND NOT internal AND comment IS NOT NULL
    UNION ALL
    SELECT
        'COMMENT ON COLUMN "' || alias || '"."' || replace(column_name, '"', '""') || '" IS '''
        || replace(comment, '''', '''''') || ''';'
    FROM duckdb_columns() JOIN pairs ON table_name = view_name
    WHERE schema_name = 'main' AND NOT internal AND comment IS NOT NULL
)
SELECT string_agg(statement, chr(10)) FROM statements;

-- Rows that the reader refused, with the reason; $size_bytes tells which one the file ends in.
INSERT INTO stage.bad_rows
SELECT $number, min(CASE
    WHEN error_type = 'TOO MANY COLUMNS' OR error_type = 'MISSING COLUMNS' THEN
        'row ' || (line - 1) || ': ' || (1 + length(bare) - length(replace(bare, ',', '')))
        || CASE WHEN error_type = 'MISSING COLUMNS'
                AND line_byte_position - 1 + strlen(csv_line) >= $size_bytes
            THEN ' of ' || expected || ' fields, the file is cut'
            ELSE ' fields, header has ' || expected END
    ELSE lower(CAST(error_type AS VARCHAR)) END), line
FROM (
    -- The reader's own count of the fields found is wrong at the end of a file.
    SELECT *, regexp_extract(error_message, 'Columns: (\d+)', 1) AS expected,
        regexp_replace(csv_line, '"[^"]*"', '', 'g') AS bare
    FROM reject_errors
)
GROUP BY line;

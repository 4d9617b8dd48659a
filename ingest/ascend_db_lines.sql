-- SQLite: the next rows of a table of numbers as lines of text, made by SQLite itself, which is as
-- fast as handing the numbers to Python. NULL becomes nothing between two commas.
SELECT CAST(group_concat(printf({format}, row_no, {names}), char(10)) AS BLOB),
    max(row_no), count(*)
FROM (
    SELECT rowid AS row_no, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {rows}
);

-- SQLite: the rows of a table.
SELECT count(*) FROM {table};

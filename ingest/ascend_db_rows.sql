-- SQLite: a small table, row by row.
SELECT {columns} FROM {table} ORDER BY rowid;

-- What the reader refused of the file before.
DROP TABLE IF EXISTS reject_errors;
DROP TABLE IF EXISTS reject_scans;

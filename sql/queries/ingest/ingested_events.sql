-- Events of one run as the ledger counts them, for the closing summary.
SELECT CAST(sum(seen) AS BIGINT) AS seen, CAST(sum(stored) AS BIGINT) AS stored,
    CAST(sum(set_aside) AS BIGINT) AS set_aside
FROM ingest_ledger WHERE label = $label;

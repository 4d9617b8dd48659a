-- What was set aside of one run and why, for the closing summary.
SELECT category, sum(seen) AS seen, sum(set_aside) AS set_aside, reason
FROM ingest_ledger WHERE label = $label AND set_aside > 0
GROUP BY category, reason ORDER BY set_aside DESC;

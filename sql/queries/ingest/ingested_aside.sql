-- What was set aside or noted of one run and why, for the closing summary.
SELECT category, sum(seen) AS seen, sum(set_aside) AS set_aside, reason
FROM ingest_ledger WHERE label = $label AND (set_aside > 0 OR reason IS NOT NULL)
GROUP BY category, reason ORDER BY set_aside DESC;

-- Figures of one run that differ from the vendor's or cannot be compared; all where asked for.
SELECT rank, profile_id AS profile, kind, item, figure, ours, vendors,
    round(difference, 3) AS difference, status
FROM vendor_check_v1
WHERE label = $label AND ($rank IS NULL OR rank = $rank) AND ($everything OR status <> 'agrees')
ORDER BY rank, profile, kind, item, figure;

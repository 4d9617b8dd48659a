-- Per kind of vendor file how many groups and figures there are, and how many agree in everything.
SELECT kind, count(DISTINCT profile_id) AS profiles,
    count(*) AS groups, count(*) FILTER (WHERE agreeing = figures) AS groups_agreeing,
    CAST(sum(figures) AS BIGINT) AS figures, CAST(sum(agreeing) AS BIGINT) AS agreeing,
    CAST(sum(differing) AS BIGINT) AS differing
FROM (
    SELECT kind, profile_id, item, count(*) AS figures,
        count(*) FILTER (WHERE status = 'agrees') AS agreeing,
        count(*) FILTER (WHERE status = 'differs') AS differing
    FROM vendor_check_v1
    WHERE label = $label AND ($rank IS NULL OR rank = $rank)
    GROUP BY kind, profile_id, item
)
GROUP BY kind
ORDER BY kind;

-- What becomes of every event, by category; categories without a name go by the form of the event.
INSERT INTO stage.ledger BY NAME
SELECT
    1 AS file, category, count(*) AS seen,
    count(*) FILTER (WHERE reason IS NULL) AS stored,
    count(*) FILTER (WHERE reason IS NOT NULL) AS set_aside,
    array_to_string(list_sort(list(DISTINCT reason) FILTER (WHERE reason IS NOT NULL)), '; ')
        AS reason
FROM (
    SELECT
        coalesce(cat, '(ph ' || coalesce(ph, 'none') || ')') AS category,
        CASE
            WHEN ph IS NULL THEN 'no event: it has no ph'
            WHEN role = 'python' AND NOT $python THEN 'not asked for (--python stores them)'
            WHEN role <> 'work' THEN NULL
            WHEN ph <> 'X' THEN 'device work that is no span'
            WHEN dur IS NULL THEN 'device work without a duration'
            WHEN dur < 0 THEN 'negative duration'
            WHEN ts IS NULL THEN 'device work without a time'
            WHEN ts = 0 AND dur = 0 THEN 'record never filled: time 0, duration 0'
        END AS reason
    FROM stage.raw
) AS r
GROUP BY category;

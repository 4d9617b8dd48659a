-- What to know before reading: launches with a shape, and how many there are.
SELECT count(*) AS launches, count(*) FILTER (WHERE shape <> '') AS with_shape
FROM kernel_events_v1
WHERE label = $label AND rank = $rank;

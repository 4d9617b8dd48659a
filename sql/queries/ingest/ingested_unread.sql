-- Annotations of one run that look like steps and are not understood, the most frequent ten, for
-- the closing summary; others counts the rest.
SELECT name, spans, greatest(count(*) OVER () - 10, 0) AS others
FROM (
    SELECT name, CAST(sum(spans) AS BIGINT) AS spans
    FROM step_like_v1
    WHERE label = $label
    GROUP BY name
)
ORDER BY spans DESC, name
LIMIT 10;

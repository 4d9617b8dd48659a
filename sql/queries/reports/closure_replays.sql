-- Graph replays of the rank: how many, how long, and how many recorded nothing.
WITH replays AS (
    SELECT phase, replay, launches
    FROM graph_replays_v1
    WHERE label = $run AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
lengths AS (
    SELECT phase, replay, launches, count(*) AS replays
    FROM replays
    GROUP BY phase, replay, launches
),
commonest AS (
    SELECT phase, replay, launches
    FROM lengths
    WHERE launches > 0
    QUALIFY row_number() OVER (
        PARTITION BY phase, replay ORDER BY replays DESC, launches DESC
    ) = 1
)
SELECT
    r.phase, count(DISTINCT r.replay) AS per_step, count(*) AS replays,
    count(*) FILTER (WHERE r.launches = 0) AS empty,
    count(*) FILTER (WHERE r.launches > 0 AND r.launches <> c.launches) AS unequal,
    min(c.launches) AS least, max(c.launches) AS most
FROM replays AS r
LEFT JOIN commonest AS c ON c.phase = r.phase AND c.replay = r.replay
GROUP BY r.phase
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], r.phase);

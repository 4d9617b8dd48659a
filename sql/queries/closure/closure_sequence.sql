-- The launches of one typical complete step, in order: of the steps whose counts are the commonest
-- in all groups, the first.
WITH counts AS (
    SELECT
        context_id, list_sort(list((kind, family, implementation, launches))) AS counts
    FROM _step_groups_v1
    WHERE label = $run AND rank = $rank AND phase = $phase AND complete
    GROUP BY context_id
),
typical AS (
    SELECT min(context_id) AS context_id
    FROM counts
    GROUP BY counts
    ORDER BY count(*) DESC, min(context_id)
    LIMIT 1
)
SELECT
    s.kind, n.family, n.implementation, coalesce(h.shape, '') AS shape, l.dur_ns, l.stream
FROM _launches_v1 AS l
JOIN typical AS t ON t.context_id = l.context_id
JOIN _kernel_kinds_v1 AS s ON s.kernel_id = l.kernel_id
JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
LEFT JOIN shapes AS h ON h.shape_id = l.shape_id
WHERE l.label = $run AND l.rank = $rank AND s.kind IS NOT NULL AND s.kind <> 'beside'
ORDER BY l.start_ns, l.stream;

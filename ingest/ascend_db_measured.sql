-- The counters of the tasks of one range. The values of a replayed task come in groups under the
-- same id: the n-th value of each counter is of the n-th group.
INSERT INTO stage.measured
SELECT globalTaskId, turn, timestampNs,
    CASE WHEN len(entries) = needed THEN list_transform(entries, lambda e: e.value)
        ELSE list_transform(range(1, needed + 1), lambda p:
            list_extract(list_filter(entries, lambda e: e.position = p), 1).value)
    END
FROM (
    SELECT globalTaskId, turn, timestampNs, any_value(needed) AS needed,
        list({position: position, value: value} ORDER BY position) AS entries
    FROM (
        SELECT p.globalTaskId, c.position, p.timestampNs, n.needed,
            CASE WHEN isfinite(p.value) THEN p.value / c.per_unit END AS value,
            row_number() OVER (
                PARTITION BY p.globalTaskId, p.timestampNs, c.position ORDER BY p.row_no
            ) AS turn
        FROM stage.TASK_PMU_INFO AS p
        JOIN stage.counter_ids AS c ON c.name = p.name
        CROSS JOIN (SELECT count(*) AS needed FROM stage.counters) AS n
        WHERE p.globalTaskId BETWEEN $low AND $high
    )
    GROUP BY globalTaskId, turn, timestampNs
);

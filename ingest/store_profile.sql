-- The profile's own row.
INSERT INTO profiles BY NAME
SELECT i.profile_id, r.run_id, p.*,
    -- A clock that starts at zero says nothing of the day.
    CASE WHEN w.start_ns > 946684800000000000 THEN make_timestamp(w.start_ns // 1000) END
        AS captured_at,
    w.start_ns, w.end_ns,
    (SELECT count(*) > 0 FROM stage.contexts) AS has_contexts,
    $digest AS digest,
    CAST(now() AT TIME ZONE 'UTC' AS TIMESTAMP) AS ingested_at,
    $version AS profdb_version
FROM stage.profile AS p
CROSS JOIN ids AS i
CROSS JOIN (SELECT run_id FROM runs WHERE label = $label) AS r
CROSS JOIN (
    SELECT min(start_ns) AS start_ns, max(start_ns + dur_ns) AS end_ns FROM stage.work
) AS w;

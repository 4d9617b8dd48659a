-- Every replay of a graph with the work that was recorded of it: none where its record was lost.
CREATE OR REPLACE VIEW graph_replays_v1 AS
WITH replayed AS (
    SELECT
        r.label, p.rank, k.profile_id, k.correlation,
        count(*) AS launches,
        CAST(sum(k.dur_ns) AS BIGINT) AS gpu_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN kernels AS k ON k.profile_id = p.profile_id
    WHERE k.graph_replay
    GROUP BY r.label, p.rank, k.profile_id, k.correlation
)
SELECT
    r.label, p.rank, g.profile_id, g.context_id,
    CASE
        WHEN c.context_id IS NOT NULL THEN c.phase
        WHEN NOT p.has_contexts THEN 'unknown'
        ELSE 'outside'
    END AS phase,
    CASE
        WHEN g.context_id IS NOT NULL
        THEN row_number() OVER (
            PARTITION BY r.label, p.rank, g.profile_id, g.context_id
            ORDER BY g.launch_ns, g.correlation
        )
    END AS replay,
    g.correlation, g.launch_ns,
    coalesce(w.launches, 0) AS launches,
    coalesce(w.gpu_ns, 0) / 1e6 AS gpu_ms
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN graph_launches AS g ON g.profile_id = p.profile_id
LEFT JOIN contexts AS c ON c.profile_id = g.profile_id AND c.context_id = g.context_id
LEFT JOIN replayed AS w
    ON w.label = r.label AND w.rank = p.rank AND w.profile_id = g.profile_id
    AND w.correlation = g.correlation;

COMMENT ON VIEW graph_replays_v1 IS
    'One row per launch call that replayed a graph, with the work that was recorded of it.';
COMMENT ON COLUMN graph_replays_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN graph_replays_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN graph_replays_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN graph_replays_v1.context_id IS
    'The step of context_time that made the call; NULL outside any.';
COMMENT ON COLUMN graph_replays_v1.phase IS
    'Phase of that step; outside where none did, unknown where it cannot be told.';
COMMENT ON COLUMN graph_replays_v1.replay IS
    'Place among the replays of the step, from 1; NULL outside any step.';
COMMENT ON COLUMN graph_replays_v1.correlation IS
    'Id that links it to its launches, within the profile.';
COMMENT ON COLUMN graph_replays_v1.launch_ns IS
    'Start of the call on the host, ns since the epoch.';
COMMENT ON COLUMN graph_replays_v1.launches IS
    'Launches recorded of the replay; 0 where they were lost or came after the window.';
COMMENT ON COLUMN graph_replays_v1.gpu_ms IS 'Sum of the durations of these launches, ms.';

-- Launches outside any step, by what they may be of. A view of its own, since unannotated reads it
-- twice: a filter on the label does not reach into a common table expression that is read twice.
CREATE OR REPLACE VIEW _outside_launches_v1 AS
SELECT
    r.label, p.rank, k.profile_id, k.device, k.start_ns, k.dur_ns, k.correlation,
    coalesce(k.launch_ns, k.start_ns) AS at_ns,
    CASE WHEN k.graph_replay THEN 1 ELSE 0 END AS replayed,
    CASE WHEN n.family IN ('gemm', 'gemv') THEN 1 ELSE 0 END AS linear,
    CASE WHEN n.family IN ('attention', 'linear_attention', 'moe') THEN 1 ELSE 0 END
        AS attention,
    CASE WHEN k.graph_replay AND n.family IN ('attention', 'linear_attention') THEN 1 ELSE 0 END
        AS whole
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN kernels AS k ON k.profile_id = p.profile_id
LEFT JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
WHERE p.has_contexts AND k.context_id IS NULL
    -- Launched by steps whose begin the window does not show.
    AND coalesce(k.attribution, '') NOT IN ('launched before the window', 'no launch found');

COMMENT ON VIEW _outside_launches_v1 IS
    'One row per launch outside any step, where its launch call is known; from kernels.';
COMMENT ON COLUMN _outside_launches_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _outside_launches_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _outside_launches_v1.profile_id IS
    'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _outside_launches_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN _outside_launches_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN _outside_launches_v1.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN _outside_launches_v1.correlation IS
    'Id that links it to its launch call; NULL where there is none.';
COMMENT ON COLUMN _outside_launches_v1.at_ns IS
    'Start of its launch call, else on the device, ns since the epoch.';
COMMENT ON COLUMN _outside_launches_v1.replayed IS
    '1 where it was launched by a graph replay, else 0.';
COMMENT ON COLUMN _outside_launches_v1.linear IS '1 in families gemm and gemv, else 0.';
COMMENT ON COLUMN _outside_launches_v1.attention IS
    '1 in families attention, linear_attention and moe, else 0.';
COMMENT ON COLUMN _outside_launches_v1.whole IS
    '1 for attention in a graph replay, else 0: the graph is no piece of a pass.';

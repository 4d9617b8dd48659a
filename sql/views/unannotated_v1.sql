-- Launches outside any step that look like forward passes: dummy batches of idle ranks, drafts. A
-- group ends where a step begins, and where a graph is replayed that holds attention by itself: a
-- whole pass, not one of the pieces between eager attention.
CREATE OR REPLACE VIEW unannotated_v1 AS
WITH devices AS (
    SELECT DISTINCT label, rank, profile_id, device FROM _outside_launches_v1
),
-- place: a step that begins at the same moment as a launch call comes first.
moments AS (
    SELECT
        label, rank, profile_id, device, at_ns, 1 AS place, start_ns, dur_ns, correlation,
        replayed, linear, attention,
        CASE
            WHEN replayed = 1 AND row_number() OVER (
                PARTITION BY label, rank, profile_id, device, replayed, correlation
                ORDER BY start_ns
            ) = 1
            THEN 1 ELSE 0
        END AS first_of_replay,
        max(whole) OVER (
            PARTITION BY label, rank, profile_id, device, replayed, correlation
        ) AS whole
    FROM _outside_launches_v1
    UNION ALL
    SELECT
        d.label, d.rank, d.profile_id, d.device, c.start_ns, 0, CAST(NULL AS BIGINT),
        CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), 0, 0, 0, 0, 0
    FROM devices AS d
    JOIN contexts AS c ON c.profile_id = d.profile_id
),
numbered AS (
    SELECT
        label, rank, profile_id, device, place, start_ns, dur_ns, replayed, linear, attention,
        first_of_replay,
        CAST(sum(CASE WHEN place = 0 OR first_of_replay = 1 AND whole = 1 THEN 1 ELSE 0 END) OVER (
            PARTITION BY label, rank, profile_id, device
            ORDER BY at_ns, place, correlation, start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS group_no
    FROM moments
),
grouped AS (
    SELECT
        label, rank, profile_id, device, group_no,
        min(start_ns) AS start_ns,
        count(*) AS launches,
        CAST(sum(first_of_replay) AS BIGINT) AS graph_replays,
        CAST(sum(linear) AS BIGINT) AS linear_launches,
        CAST(sum(attention) AS BIGINT) AS attention_launches,
        CAST(sum(dur_ns) AS BIGINT) AS gpu_ns
    FROM numbered
    WHERE place = 1
    GROUP BY label, rank, profile_id, device, group_no
)
SELECT
    label, rank, profile_id, device, start_ns, launches, graph_replays, linear_launches,
    attention_launches, gpu_ns / 1e6 AS gpu_ms
FROM grouped
WHERE linear_launches > 0 AND attention_launches > 0;

COMMENT ON VIEW unannotated_v1 IS
    'One row per group of launches outside any step that looks like a forward pass.';
COMMENT ON COLUMN unannotated_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN unannotated_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN unannotated_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN unannotated_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN unannotated_v1.start_ns IS
    'Start of its first launch on the device, ns since the epoch.';
COMMENT ON COLUMN unannotated_v1.launches IS
    'Launches from the begin of one step to that of the next, or of one replay; copies count.';
COMMENT ON COLUMN unannotated_v1.graph_replays IS 'Graph replays among them.';
COMMENT ON COLUMN unannotated_v1.linear_launches IS 'Launches of families gemm and gemv.';
COMMENT ON COLUMN unannotated_v1.attention_launches IS
    'Launches of families attention, linear_attention and moe.';
COMMENT ON COLUMN unannotated_v1.gpu_ms IS 'Sum of the durations of its launches, ms.';

-- Kernels of replayed graphs, which have no shapes, between two runs: like place with like place at
-- the same padded batch. Graphs are captured for 1, 2, 4 and then each multiple of 8 tokens.
CREATE OR REPLACE VIEW replay_diff_v1 AS
WITH replayed AS (
    SELECT
        l.label, l.rank, l.phase, g.group_id, l.dur_ns,
        coalesce(c.context_tokens + c.generation_tokens, c.context_tokens, c.generation_tokens)
            AS tokens,
        row_number() OVER (
            PARTITION BY l.label, l.rank, l.profile_id, l.context_id, g.group_id
            ORDER BY l.start_ns
        ) AS position
    FROM _launches_v1 AS l
    JOIN _kernel_groups_v1 AS g ON g.kernel_id = l.kernel_id
    JOIN contexts AS c ON c.profile_id = l.profile_id AND c.context_id = l.context_id
    LEFT JOIN shapes AS s ON s.shape_id = l.shape_id
    WHERE l.graph_replay AND l.complete AND coalesce(s.shape, '') = ''
),
padded AS (
    SELECT
        label, rank, phase, group_id, position, dur_ns,
        CASE
            WHEN tokens <= 2 THEN tokens
            WHEN tokens <= 4 THEN 4
            ELSE tokens + (8 - tokens % 8) % 8
        END AS batch
    FROM replayed
),
cells AS (
    SELECT
        label, rank, phase, group_id, position, batch, count(*) AS launches,
        quantile_cont(dur_ns, 0.5) AS p50_ns
    FROM padded
    GROUP BY label, rank, phase, group_id, position, batch
),
sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.group_id, b.position,
        b.batch, b.launches, b.p50_ns
    FROM cells AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.group_id, c.position,
        c.batch, c.launches, c.p50_ns
    FROM cells AS c
    CROSS JOIN runs AS o
),
pairs AS (
    SELECT
        base, cand, rank, phase, group_id, position, batch,
        max(launches) FILTER (WHERE side = 0) AS base_launches,
        max(launches) FILTER (WHERE side = 1) AS cand_launches,
        max(p50_ns) FILTER (WHERE side = 0) AS base_p50_ns,
        max(p50_ns) FILTER (WHERE side = 1) AS cand_p50_ns
    FROM sides
    GROUP BY base, cand, rank, phase, group_id, position, batch
)
SELECT
    p.base, p.cand, p.rank, p.phase, p.batch, coalesce(k.stable_name, k.name) AS kernel,
    p.position, p.base_launches, p.cand_launches,
    p.base_p50_ns / 1e3 AS base_p50_us, p.cand_p50_ns / 1e3 AS cand_p50_us,
    p.cand_p50_ns / nullif(p.base_p50_ns, 0) - 1 AS p50_change,
    p.cand_launches * (p.cand_p50_ns - p.base_p50_ns) / 1e6 AS lost_ms
FROM pairs AS p
LEFT JOIN kernel_names AS k ON k.kernel_id = p.group_id;

COMMENT ON VIEW replay_diff_v1 IS
    'One row per pair of runs, rank, phase, batch, kernel and place in the replay: WHERE base = …';
COMMENT ON COLUMN replay_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN replay_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN replay_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN replay_diff_v1.phase IS 'Phase of the complete steps that replayed a graph.';
COMMENT ON COLUMN replay_diff_v1.batch IS
    'Scheduled tokens of the step, padded to 1, 2, 4 or a multiple of 8; NULL where not told.';
COMMENT ON COLUMN replay_diff_v1.kernel IS 'Kernel name without generated numbering and counters.';
COMMENT ON COLUMN replay_diff_v1.position IS
    'Place among the launches of this kernel in the replays of the step, from 1.';
COMMENT ON COLUMN replay_diff_v1.base_launches IS
    'Base: launches without a shape; NULL where it lacks the place.';
COMMENT ON COLUMN replay_diff_v1.cand_launches IS
    'Candidate: launches without a shape; NULL where it lacks the place.';
COMMENT ON COLUMN replay_diff_v1.base_p50_us IS
    'Base: exact interpolated median of the duration, us.';
COMMENT ON COLUMN replay_diff_v1.cand_p50_us IS
    'Candidate: exact interpolated median of the duration, us.';
COMMENT ON COLUMN replay_diff_v1.p50_change IS 'cand_p50_us / base_p50_us - 1, a fraction.';
COMMENT ON COLUMN replay_diff_v1.lost_ms IS
    'cand_launches * (cand_p50_us - base_p50_us), in ms; NULL where a side is missing.';

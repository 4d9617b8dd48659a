-- How evenly the ranks of a run spend their time on an operator. A collective ends for all ranks
-- together: what the quickest rank needs is transfer, what the others need beyond it is waiting.
CREATE OR REPLACE VIEW rank_skew_v1 AS
WITH cells AS (
    SELECT
        label, rank, phase, op_id, kernel_id, shape_id,
        count(*) AS launches,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns
    FROM _launches_v1
    GROUP BY label, rank, phase, op_id, kernel_id, shape_id
),
-- Of Ascend's collectives the vendor lists what each moved; ranks call one by the same name.
messages AS (
    SELECT r.label, v.op, max(v.transit_bytes) AS message_bytes
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN vendor_collectives AS v ON v.profile_id = p.profile_id
    GROUP BY r.label, v.op
),
ops AS (
    SELECT
        c.label, c.rank, c.phase, c.op_id, c.shape_id, n.family, m.message_bytes,
        CAST(sum(c.launches) AS BIGINT) AS launches,
        CAST(sum(c.total_ns) AS BIGINT) AS total_ns
    FROM cells AS c
    JOIN kernel_names AS n ON n.kernel_id = c.kernel_id
    LEFT JOIN messages AS m ON m.label = c.label AND m.op = n.name
    GROUP BY c.label, c.rank, c.phase, c.op_id, c.shape_id, n.family, m.message_bytes
),
means AS (
    SELECT
        label, rank, phase, op_id, shape_id, family, message_bytes, launches, total_ns,
        total_ns / nullif(launches, 0) AS mean_ns
    FROM ops
),
skews AS (
    SELECT
        label, phase, op_id, shape_id, family, message_bytes,
        count(*) AS ranks,
        min(launches) AS launches_min, max(launches) AS launches_max,
        CAST(sum(total_ns) AS BIGINT) AS total_ns,
        CAST(sum(launches) AS BIGINT) AS launches,
        quantile_cont(mean_ns, 0.5) AS median_ns,
        min(mean_ns) AS least_ns, max(mean_ns) AS most_ns,
        min_by(rank, mean_ns) AS quick_rank, max_by(rank, mean_ns) AS slow_rank
    FROM means
    GROUP BY label, phase, op_id, shape_id, family, message_bytes
    HAVING count(*) > 1
)
SELECT
    s.label, s.phase, o.name AS op, s.family, coalesce(h.shape, '') AS shape, s.ranks,
    s.launches_min, s.launches_max,
    s.total_ns / 1e6 AS total_ms,
    s.median_ns / 1e3 AS median_us,
    s.quick_rank, s.least_ns / 1e3 AS quick_us,
    s.slow_rank, s.most_ns / 1e3 AS slow_us,
    s.most_ns / nullif(s.median_ns, 0) - 1 AS skew_share,
    CASE WHEN s.family IN ('communication', 'fused_communication')
        THEN s.least_ns * s.launches / nullif(s.ranks, 0) / 1e6 END AS transfer_ms,
    CASE WHEN s.family IN ('communication', 'fused_communication')
        THEN (s.total_ns - s.least_ns * s.launches) / nullif(s.ranks, 0) / 1e6 END AS wait_ms,
    s.message_bytes
FROM skews AS s
LEFT JOIN names AS o ON o.name_id = s.op_id
LEFT JOIN shapes AS h ON h.shape_id = s.shape_id;

COMMENT ON VIEW rank_skew_v1 IS
    'One row per run, phase, operator, family, shape and message that at least two ranks have.';
COMMENT ON COLUMN rank_skew_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN rank_skew_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN rank_skew_v1.op IS
    'Operator that launched it; a collective by the name of its operator or kernel.';
COMMENT ON COLUMN rank_skew_v1.family IS 'Kind of work, by table family_rules.';
COMMENT ON COLUMN rank_skew_v1.shape IS
    'Input shapes, of a collective the message; '''' where unknown.';
COMMENT ON COLUMN rank_skew_v1.ranks IS 'Ranks that launched it.';
COMMENT ON COLUMN rank_skew_v1.launches_min IS 'Launches of the rank with the fewest.';
COMMENT ON COLUMN rank_skew_v1.launches_max IS 'Launches of the rank with the most.';
COMMENT ON COLUMN rank_skew_v1.total_ms IS 'Sum of the durations over all ranks, ms.';
COMMENT ON COLUMN rank_skew_v1.median_us IS 'Median over ranks of the mean duration, us.';
COMMENT ON COLUMN rank_skew_v1.quick_rank IS 'Rank with the smallest mean duration.';
COMMENT ON COLUMN rank_skew_v1.quick_us IS 'Mean duration of that rank, us.';
COMMENT ON COLUMN rank_skew_v1.slow_rank IS 'Rank with the largest mean duration.';
COMMENT ON COLUMN rank_skew_v1.slow_us IS 'Mean duration of that rank, us.';
COMMENT ON COLUMN rank_skew_v1.skew_share IS
    'slow_us / median_us - 1, a fraction of 1: how far the slow rank is behind the middle.';
COMMENT ON COLUMN rank_skew_v1.transfer_ms IS
    'Of communication: time per rank that even the quickest rank needs, ms; NULL elsewhere.';
COMMENT ON COLUMN rank_skew_v1.wait_ms IS
    'Of communication: time per rank beyond that of the quickest rank, ms; NULL elsewhere.';
COMMENT ON COLUMN rank_skew_v1.message_bytes IS
    'Bytes that a collective of Ascend moved over links, as the vendor lists it; NULL elsewhere.';

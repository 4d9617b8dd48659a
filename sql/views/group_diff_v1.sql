-- What got slower between two runs, by operator, kernel and shape group.
CREATE OR REPLACE VIEW group_diff_v1 AS
WITH cells AS (
    SELECT
        base, cand, side, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high, by_hand,
        count(*) AS launches,
        count(DISTINCT CASE WHEN complete THEN context_id END) AS steps,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns,
        quantile_cont(dur_ns, 0.5) AS p50_ns,
        quantile_cont(dur_ns, 0.99) AS p99_ns,
        max(dur_ns) AS max_ns
    FROM _group_pairs_v1
    GROUP BY
        base, cand, side, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high, by_hand
),
pairs AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high, by_hand,
        max(launches) FILTER (WHERE side = 0) AS base_launches,
        max(launches) FILTER (WHERE side = 1) AS cand_launches,
        max(steps) FILTER (WHERE side = 0) AS base_steps,
        max(steps) FILTER (WHERE side = 1) AS cand_steps,
        max(total_ns) FILTER (WHERE side = 0) AS base_total_ns,
        max(total_ns) FILTER (WHERE side = 1) AS cand_total_ns,
        max(p50_ns) FILTER (WHERE side = 0) AS base_p50_ns,
        max(p50_ns) FILTER (WHERE side = 1) AS cand_p50_ns,
        max(p99_ns) FILTER (WHERE side = 0) AS base_p99_ns,
        max(p99_ns) FILTER (WHERE side = 1) AS cand_p99_ns,
        max(max_ns) FILTER (WHERE side = 0) AS base_max_ns,
        max(max_ns) FILTER (WHERE side = 1) AS cand_max_ns
    FROM cells
    GROUP BY
        base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high, by_hand
)
SELECT
    p.base, p.cand, p.rank, p.phase, o.name AS op, coalesce(k.stable_name, k.name) AS kernel,
    coalesce(p.pattern, '') AS shape, p.tokens_low, p.tokens_high,
    coalesce(p.tokens_low <> p.tokens_high, FALSE) AS pooled,
    p.base_launches, p.cand_launches, p.base_steps, p.cand_steps,
    p.base_total_ns / 1e6 AS base_total_ms,
    p.cand_total_ns / 1e6 AS cand_total_ms,
    p.base_total_ns / nullif(p.base_launches, 0) / 1e3 AS base_mean_us,
    p.cand_total_ns / nullif(p.cand_launches, 0) / 1e3 AS cand_mean_us,
    p.base_p50_ns / 1e3 AS base_p50_us,
    p.cand_p50_ns / 1e3 AS cand_p50_us,
    p.base_p99_ns / 1e3 AS base_p99_us,
    p.cand_p99_ns / 1e3 AS cand_p99_us,
    p.base_max_ns / 1e3 AS base_max_us,
    p.cand_max_ns / 1e3 AS cand_max_us,
    (p.cand_total_ns / nullif(p.cand_launches, 0))
        / nullif(p.base_total_ns / nullif(p.base_launches, 0), 0) - 1 AS mean_change,
    p.cand_p50_ns / nullif(p.base_p50_ns, 0) - 1 AS p50_change,
    p.cand_launches
        * (p.cand_total_ns / nullif(p.cand_launches, 0)
            - p.base_total_ns / nullif(p.base_launches, 0)) / 1e6 AS lost_ms,
    CASE
        WHEN p.by_hand THEN 'hand'
        WHEN p.tokens_low <> p.tokens_high THEN 'rule'
        WHEN p.tokens_low IS NOT NULL THEN 'exact'
    END AS pooling
FROM pairs AS p
LEFT JOIN names AS o ON o.name_id = p.op_id
LEFT JOIN kernel_names AS k ON k.kernel_id = p.group_id;

COMMENT ON VIEW group_diff_v1 IS
    'One row per pair of runs, rank, phase, operator, kernel and shape group: WHERE base = …';
COMMENT ON COLUMN group_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN group_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN group_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN group_diff_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN group_diff_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN group_diff_v1.kernel IS
    'Kernel name without generated numbering; a group never holds two.';
COMMENT ON COLUMN group_diff_v1.shape IS 'Input shapes with T for the tokens; '''' where unknown.';
COMMENT ON COLUMN group_diff_v1.tokens_low IS
    'Fewest tokens in the group; NULL where the shape tells none.';
COMMENT ON COLUMN group_diff_v1.tokens_high IS 'Most tokens in the group.';
COMMENT ON COLUMN group_diff_v1.pooled IS 'Whether the group holds more than one token count.';
COMMENT ON COLUMN group_diff_v1.base_launches IS
    'Base: all launches; NULL where it lacks the group.';
COMMENT ON COLUMN group_diff_v1.cand_launches IS
    'Candidate: all launches; NULL where it lacks the group.';
COMMENT ON COLUMN group_diff_v1.base_steps IS 'Base: complete steps in which it ran.';
COMMENT ON COLUMN group_diff_v1.cand_steps IS 'Candidate: complete steps in which it ran.';
COMMENT ON COLUMN group_diff_v1.base_total_ms IS 'Base: sum of the durations, ms.';
COMMENT ON COLUMN group_diff_v1.cand_total_ms IS 'Candidate: sum of the durations, ms.';
COMMENT ON COLUMN group_diff_v1.base_mean_us IS 'Base: total / launches, us.';
COMMENT ON COLUMN group_diff_v1.cand_mean_us IS 'Candidate: total / launches, us.';
COMMENT ON COLUMN group_diff_v1.base_p50_us IS 'Base: exact interpolated median, us.';
COMMENT ON COLUMN group_diff_v1.cand_p50_us IS 'Candidate: exact interpolated median, us.';
COMMENT ON COLUMN group_diff_v1.base_p99_us IS 'Base: exact interpolated 99th percentile, us.';
COMMENT ON COLUMN group_diff_v1.cand_p99_us IS 'Candidate: exact interpolated 99th percentile, us.';
COMMENT ON COLUMN group_diff_v1.base_max_us IS 'Base: longest launch, us.';
COMMENT ON COLUMN group_diff_v1.cand_max_us IS 'Candidate: longest launch, us.';
COMMENT ON COLUMN group_diff_v1.mean_change IS 'cand_mean_us / base_mean_us - 1, a fraction.';
COMMENT ON COLUMN group_diff_v1.p50_change IS 'cand_p50_us / base_p50_us - 1, a fraction.';
COMMENT ON COLUMN group_diff_v1.lost_ms IS
    'cand_launches * (cand_mean_us - base_mean_us), ms; NULL where a side is missing.';
COMMENT ON COLUMN group_diff_v1.pooling IS
    'exact (one token count), rule (near counts), hand (a declared range); NULL without tokens.';

-- Why an operator took more or less time: more launches (count), another mix of shapes and phases
-- (mix), or slower launches of the same shapes (within). The three add up to the difference.
CREATE OR REPLACE VIEW op_diff_v1 AS
WITH by_phase AS (
    SELECT
        base, cand, rank, phase, op_id,
        CAST(sum(n0) AS BIGINT) AS n0, CAST(sum(n1) AS BIGINT) AS n1,
        CAST(sum(t0) AS BIGINT) AS t0, CAST(sum(t1) AS BIGINT) AS t1
    FROM _op_strata_v1
    GROUP BY base, cand, rank, phase, op_id
),
-- The phases as a whole are strata of phase all too, to be looked at and not to be added.
strata AS (
    SELECT base, cand, rank, phase, op_id, n0, n1, t0, t1, e_ns, 1 AS counts
    FROM _op_strata_v1
    UNION ALL
    SELECT base, cand, rank, 'all', op_id, n0, n1, t0, t1, e_ns, 1
    FROM _op_strata_v1
    UNION ALL
    SELECT base, cand, rank, 'all', op_id, n0, n1, t0, t1, 0, 0
    FROM by_phase
),
beside AS (
    SELECT
        base, cand, rank, phase, op_id, n0, n1, t0, t1, e_ns, counts,
        CAST(sum(n0 * counts) OVER (PARTITION BY base, cand, rank, phase, op_id) AS BIGINT)
            AS all_n0,
        CAST(sum(n1 * counts) OVER (PARTITION BY base, cand, rank, phase, op_id) AS BIGINT)
            AS all_n1,
        CAST(sum(t0 * counts) OVER (PARTITION BY base, cand, rank, phase, op_id) AS BIGINT)
            AS all_t0,
        CAST(sum(t1 * counts) OVER (PARTITION BY base, cand, rank, phase, op_id) AS BIGINT)
            AS all_t1
    FROM strata
),
-- Against the mean of all goes a stratum that both sides have, that holds 0.1 % of the operator on
-- either side and whose mean moves by 3 % or more, the other way.
sums AS (
    SELECT
        base, cand, rank, phase, op_id,
        CAST(sum(n0 * counts) AS BIGINT) AS n0, CAST(sum(n1 * counts) AS BIGINT) AS n1,
        CAST(sum(t0 * counts) AS BIGINT) AS t0, CAST(sum(t1 * counts) AS BIGINT) AS t1,
        CAST(sum(e_ns) AS BIGINT) AS e_ns,
        CAST(coalesce(sum(t1 * counts) FILTER (WHERE n0 = 0), 0) AS BIGINT) AS new_ns,
        CAST(coalesce(sum(t0 * counts) FILTER (WHERE n1 = 0), 0) AS BIGINT) AS gone_ns,
        count(*) FILTER (
            WHERE n0 > 0 AND n1 > 0 AND t0 >= 0.001 * all_t0 AND t1 >= 0.001 * all_t1
                AND abs(t1 * CAST(n0 AS DOUBLE) / nullif(n1, 0) / nullif(t0, 0) - 1) >= 0.03
                AND (t1 * CAST(n0 AS DOUBLE) / nullif(n1, 0) > t0)
                    <> (all_t1 * CAST(all_n0 AS DOUBLE) / nullif(all_n1, 0) > all_t0)
        ) AS against
    FROM beside
    GROUP BY base, cand, rank, phase, op_id
),
raw AS (
    SELECT base, cand, rank, phase, op_id, side, dur_ns FROM _group_pairs_v1
    UNION ALL
    SELECT base, cand, rank, 'all', op_id, side, dur_ns FROM _group_pairs_v1
),
quantiles AS (
    SELECT
        base, cand, rank, phase, op_id,
        quantile_cont(dur_ns, 0.5) FILTER (WHERE side = 0) AS base_p50_ns,
        quantile_cont(dur_ns, 0.5) FILTER (WHERE side = 1) AS cand_p50_ns,
        quantile_cont(dur_ns, 0.99) FILTER (WHERE side = 0) AS base_p99_ns,
        quantile_cont(dur_ns, 0.99) FILTER (WHERE side = 1) AS cand_p99_ns
    FROM raw
    GROUP BY base, cand, rank, phase, op_id
),
-- Two kinds of rows laid over each other: a join would keep the two labels from the scan.
both_kinds AS (
    SELECT
        base, cand, rank, phase, op_id, n0, n1, t0, t1, e_ns, new_ns, gone_ns, against,
        CAST(NULL AS DOUBLE) AS base_p50_ns, CAST(NULL AS DOUBLE) AS cand_p50_ns,
        CAST(NULL AS DOUBLE) AS base_p99_ns, CAST(NULL AS DOUBLE) AS cand_p99_ns
    FROM sums
    UNION ALL
    SELECT
        base, cand, rank, phase, op_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        base_p50_ns, cand_p50_ns, base_p99_ns, cand_p99_ns
    FROM quantiles
),
laid AS (
    SELECT
        base, cand, rank, phase, op_id,
        max(n0) AS n0, max(n1) AS n1, max(t0) AS t0, max(t1) AS t1, max(e_ns) AS e_ns,
        max(new_ns) AS new_ns, max(gone_ns) AS gone_ns, max(against) AS against,
        max(base_p50_ns) AS base_p50_ns, max(cand_p50_ns) AS cand_p50_ns,
        max(base_p99_ns) AS base_p99_ns, max(cand_p99_ns) AS cand_p99_ns
    FROM both_kinds
    GROUP BY base, cand, rank, phase, op_id
),
effects AS (
    SELECT
        base, cand, rank, phase, op_id, n0, n1, t0, t1, e_ns, new_ns, gone_ns, against,
        base_p50_ns, cand_p50_ns, base_p99_ns, cand_p99_ns,
        CASE
            WHEN n0 = 0 THEN t1
            ELSE n1 * CAST((t0 - t0 % nullif(n0, 0)) / nullif(n0, 0) AS BIGINT)
                + CAST(round(CAST(n1 * (t0 % nullif(n0, 0)) AS DOUBLE) / nullif(n0, 0))
                    AS BIGINT)
        END AS a_ns
    FROM laid
)
SELECT
    e.base, e.cand, e.rank, e.phase, o.name AS op,
    e.n0 AS base_launches, e.n1 AS cand_launches,
    e.t0 / 1e6 AS base_total_ms, e.t1 / 1e6 AS cand_total_ms,
    e.t0 / nullif(e.n0, 0) / 1e3 AS base_mean_us,
    e.t1 / nullif(e.n1, 0) / 1e3 AS cand_mean_us,
    e.base_p50_ns / 1e3 AS base_p50_us, e.cand_p50_ns / 1e3 AS cand_p50_us,
    e.base_p99_ns / 1e3 AS base_p99_us, e.cand_p99_ns / 1e3 AS cand_p99_us,
    (e.a_ns - e.t0) / 1e6 AS count_effect_ms,
    (e.e_ns - e.a_ns) / 1e6 AS mix_effect_ms,
    (e.t1 - e.e_ns) / 1e6 AS within_effect_ms,
    e.a_ns - e.t0 AS count_effect_ns,
    e.e_ns - e.a_ns AS mix_effect_ns,
    e.t1 - e.e_ns AS within_effect_ns,
    e.against > 0 AS simpson,
    (e.t1 - e.t0) / 1e6 AS difference_ms,
    e.new_ns / 1e6 AS new_ms, e.gone_ns / 1e6 AS gone_ms
FROM effects AS e
LEFT JOIN names AS o ON o.name_id = e.op_id;

COMMENT ON VIEW op_diff_v1 IS
    'One row per pair of runs, rank, phase (all for the sum) and operator: WHERE base = …';
COMMENT ON COLUMN op_diff_v1.base IS 'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN op_diff_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN op_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN op_diff_v1.phase IS
    'Phase of the steps, outside, unknown, or all for all together.';
COMMENT ON COLUMN op_diff_v1.op IS
    'Innermost operator that launched it, else the stable kernel name; Ascend: operator type.';
COMMENT ON COLUMN op_diff_v1.base_launches IS 'Base: all launches.';
COMMENT ON COLUMN op_diff_v1.cand_launches IS 'Candidate: all launches.';
COMMENT ON COLUMN op_diff_v1.base_total_ms IS 'Base: sum of the durations, ms.';
COMMENT ON COLUMN op_diff_v1.cand_total_ms IS 'Candidate: sum of the durations, ms.';
COMMENT ON COLUMN op_diff_v1.base_mean_us IS 'Base: total / launches, us.';
COMMENT ON COLUMN op_diff_v1.cand_mean_us IS 'Candidate: total / launches, us.';
COMMENT ON COLUMN op_diff_v1.base_p50_us IS 'Base: exact interpolated median, us.';
COMMENT ON COLUMN op_diff_v1.cand_p50_us IS 'Candidate: exact interpolated median, us.';
COMMENT ON COLUMN op_diff_v1.base_p99_us IS 'Base: exact interpolated 99th percentile, us.';
COMMENT ON COLUMN op_diff_v1.cand_p99_us IS 'Candidate: exact interpolated 99th percentile, us.';
COMMENT ON COLUMN op_diff_v1.count_effect_ms IS
    'Change of the launches at the base''s mean over all, ms.';
COMMENT ON COLUMN op_diff_v1.mix_effect_ms IS
    'Change of the mix of shape groups at the base''s means, ms.';
COMMENT ON COLUMN op_diff_v1.within_effect_ms IS
    'Change of the means of shape groups at the candidate''s launches, ms.';
COMMENT ON COLUMN op_diff_v1.count_effect_ns IS
    'The same in whole ns; the three add up to the difference exactly.';
COMMENT ON COLUMN op_diff_v1.mix_effect_ns IS 'The same in whole ns.';
COMMENT ON COLUMN op_diff_v1.within_effect_ns IS 'The same in whole ns.';
COMMENT ON COLUMN op_diff_v1.simpson IS
    'Whether a shape group or phase of weight moves against the mean of all launches.';
COMMENT ON COLUMN op_diff_v1.difference_ms IS
    'cand_total_ms - base_total_ms: count + mix + within.';
COMMENT ON COLUMN op_diff_v1.new_ms IS 'Time of shape groups that only the candidate has, ms.';
COMMENT ON COLUMN op_diff_v1.gone_ms IS 'Time of shape groups that only the base has, ms.';

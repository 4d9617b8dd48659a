-- The launches and time of both sides per shape group, and what the candidate's launches would take
-- at the base's speed: n1 * T0 / n0 in whole ns, split so that no product leaves BIGINT.
CREATE OR REPLACE VIEW _op_strata_v1 AS
WITH cells AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high,
        count(*) FILTER (WHERE side = 0) AS n0,
        count(*) FILTER (WHERE side = 1) AS n1,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE side = 0), 0) AS BIGINT) AS t0,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE side = 1), 0) AS BIGINT) AS t1
    FROM _group_pairs_v1
    GROUP BY base, cand, rank, phase, op_id, group_id, pattern, tokens_low, tokens_high
)
SELECT
    base, cand, rank, phase, op_id, n0, n1, t0, t1,
    CASE
        WHEN n0 = 0 THEN t1
        ELSE n1 * CAST((t0 - t0 % nullif(n0, 0)) / nullif(n0, 0) AS BIGINT)
            + CAST(round(CAST(n1 * (t0 % nullif(n0, 0)) AS DOUBLE) / nullif(n0, 0)) AS BIGINT)
    END AS e_ns
FROM cells;

COMMENT ON VIEW _op_strata_v1 IS
    'One row per pair of runs, rank, phase, operator, kernel and shape group, in integers.';
COMMENT ON COLUMN _op_strata_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN _op_strata_v1.cand IS 'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN _op_strata_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN _op_strata_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _op_strata_v1.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN _op_strata_v1.n0 IS 'Launches of the base.';
COMMENT ON COLUMN _op_strata_v1.n1 IS 'Launches of the candidate.';
COMMENT ON COLUMN _op_strata_v1.t0 IS 'Time of the base, ns.';
COMMENT ON COLUMN _op_strata_v1.t1 IS 'Time of the candidate, ns.';
COMMENT ON COLUMN _op_strata_v1.e_ns IS
    'The candidate''s launches at the base''s mean; its own time where the base has none, ns.';

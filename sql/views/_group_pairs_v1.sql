-- Shapes that differ only in near token counts, pooled: by token count, a new group begins at every
-- count below 32, and above where the next is more than 2 % larger; never across kernels. Ranges of
-- _token_ranges are groups of their own.
CREATE OR REPLACE VIEW _group_pairs_v1 AS
WITH sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.op_id, b.group_id,
        b.pattern, b.tokens, b.shape_id, b.context_id, b.complete, b.dur_ns
    FROM _pattern_launches_v1 AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.op_id, c.group_id,
        c.pattern, c.tokens, c.shape_id, c.context_id, c.complete, c.dur_ns
    FROM _pattern_launches_v1 AS c
    CROSS JOIN runs AS o
),
counts AS (
    SELECT base, cand, rank, phase, op_id, group_id, pattern, tokens
    FROM sides
    GROUP BY base, cand, rank, phase, op_id, group_id, pattern, tokens
),
ranged AS (
    SELECT
        c.base, c.cand, c.rank, c.phase, c.op_id, c.group_id, c.pattern, c.tokens,
        r.tokens_low AS hand_low, r.tokens_high AS hand_high
    FROM counts AS c
    LEFT JOIN _token_ranges_v1 AS r ON c.tokens BETWEEN r.tokens_low AND r.tokens_high
),
-- The count before, NULL where that is pooled by hand: no group reaches across such a range.
neighbours AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens, hand_low, hand_high,
        lag(CASE WHEN hand_low IS NULL THEN tokens END) OVER (
            PARTITION BY base, cand, rank, phase, op_id, group_id, pattern ORDER BY tokens
        ) AS before
    FROM ranged
),
numbered AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens, hand_low, hand_high,
        CAST(sum(
            CASE WHEN before >= 32 AND tokens <= 1.02 * before AND hand_low IS NULL
                THEN 0 ELSE 1 END
        ) OVER (
            PARTITION BY base, cand, rank, phase, op_id, group_id, pattern ORDER BY tokens
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS place
    FROM neighbours
),
spans AS (
    SELECT
        base, cand, rank, phase, op_id, group_id, pattern, tokens, hand_low,
        coalesce(hand_low, min(tokens) OVER (
            PARTITION BY base, cand, rank, phase, op_id, group_id, pattern, place
        )) AS tokens_low,
        coalesce(hand_high, max(tokens) OVER (
            PARTITION BY base, cand, rank, phase, op_id, group_id, pattern, place
        )) AS tokens_high
    FROM numbered
)
SELECT
    s.base, s.cand, s.side, s.rank, s.phase, s.op_id, s.group_id, s.pattern,
    p.tokens_low, p.tokens_high, s.tokens, s.shape_id, s.context_id, s.complete, s.dur_ns,
    p.hand_low IS NOT NULL AS by_hand
FROM sides AS s
JOIN spans AS p
    ON p.base = s.base AND p.cand = s.cand AND p.rank = s.rank AND p.phase = s.phase
    AND p.op_id = s.op_id AND p.group_id = s.group_id
    AND p.pattern IS NOT DISTINCT FROM s.pattern AND p.tokens IS NOT DISTINCT FROM s.tokens;

COMMENT ON VIEW _group_pairs_v1 IS
    'One row per pair of runs, side and launch, with its shape group; from kernels.';
COMMENT ON COLUMN _group_pairs_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN _group_pairs_v1.cand IS
    'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN _group_pairs_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN _group_pairs_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _group_pairs_v1.side IS '0 for the base, 1 for the candidate.';
COMMENT ON COLUMN _group_pairs_v1.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN _group_pairs_v1.group_id IS
    'The kernel: lowest kernel_id with the same stable name.';
COMMENT ON COLUMN _group_pairs_v1.pattern IS
    'The shape, with T where a tensor begins with the tokens.';
COMMENT ON COLUMN _group_pairs_v1.tokens_low IS
    'Fewest tokens in the group, on either side; NULL where the shape tells none.';
COMMENT ON COLUMN _group_pairs_v1.tokens_high IS 'Most tokens in the group, on either side.';
COMMENT ON COLUMN _group_pairs_v1.tokens IS 'Tokens of the launch.';
COMMENT ON COLUMN _group_pairs_v1.shape_id IS 'The input shapes, of table shapes.';
COMMENT ON COLUMN _group_pairs_v1.context_id IS 'The step that launched it; NULL outside any.';
COMMENT ON COLUMN _group_pairs_v1.complete IS 'Whether it belongs to a complete step.';
COMMENT ON COLUMN _group_pairs_v1.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN _group_pairs_v1.by_hand IS
    'Whether the group is a range of _token_ranges, not of the rule.';

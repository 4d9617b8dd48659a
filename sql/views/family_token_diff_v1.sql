-- What a step takes by kind of work at equal tokens: for runs that share no shapes, such as those
-- of another layout or vendor. Steps are pooled by near token counts as shapes are.
CREATE OR REPLACE VIEW family_token_diff_v1 AS
-- Two kinds of rows laid over each other: steps, and the work of a family in a step.
WITH own AS (
    SELECT
        label, rank, phase, coalesce(context_tokens + generation_tokens,
            context_tokens, generation_tokens) AS tokens,
        CAST(NULL AS VARCHAR) AS family, 1 AS steps, 0 AS launches, 0 AS gpu_ns
    FROM _steps_v1
    WHERE complete AND phase <> 'idle'
    UNION ALL
    SELECT
        l.label, l.rank, l.phase, coalesce(c.context_tokens + c.generation_tokens,
            c.context_tokens, c.generation_tokens),
        coalesce(n.family, 'other'), 0, count(*), CAST(sum(l.dur_ns) AS BIGINT)
    FROM _launches_v1 AS l
    JOIN contexts AS c ON c.profile_id = l.profile_id AND c.context_id = l.context_id
    JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
    WHERE l.complete AND l.phase <> 'idle'
    GROUP BY
        l.label, l.rank, l.phase, coalesce(c.context_tokens + c.generation_tokens,
            c.context_tokens, c.generation_tokens),
        coalesce(n.family, 'other')
),
sides AS (
    SELECT
        b.label AS base, o.label AS cand, 0 AS side, b.rank, b.phase, b.tokens, b.family,
        b.steps, b.launches, b.gpu_ns
    FROM own AS b
    CROSS JOIN runs AS o
    UNION ALL
    SELECT
        o.label AS base, c.label AS cand, 1 AS side, c.rank, c.phase, c.tokens, c.family,
        c.steps, c.launches, c.gpu_ns
    FROM own AS c
    CROSS JOIN runs AS o
),
cells AS (
    SELECT
        base, cand, rank, phase, tokens, family,
        CAST(coalesce(sum(steps) FILTER (WHERE side = 0), 0) AS BIGINT) AS base_steps,
        CAST(coalesce(sum(steps) FILTER (WHERE side = 1), 0) AS BIGINT) AS cand_steps,
        CAST(sum(steps * tokens) FILTER (WHERE side = 0) AS BIGINT) AS base_tokens,
        CAST(sum(steps * tokens) FILTER (WHERE side = 1) AS BIGINT) AS cand_tokens,
        CAST(coalesce(sum(launches) FILTER (WHERE side = 0), 0) AS BIGINT) AS base_launches,
        CAST(coalesce(sum(launches) FILTER (WHERE side = 1), 0) AS BIGINT) AS cand_launches,
        CAST(coalesce(sum(gpu_ns) FILTER (WHERE side = 0), 0) AS BIGINT) AS base_ns,
        CAST(coalesce(sum(gpu_ns) FILTER (WHERE side = 1), 0) AS BIGINT) AS cand_ns
    FROM sides
    GROUP BY base, cand, rank, phase, tokens, family
),
counts AS (
    SELECT
        c.base, c.cand, c.rank, c.phase, c.tokens,
        r.tokens_low AS hand_low, r.tokens_high AS hand_high
    FROM (
        SELECT DISTINCT base, cand, rank, phase, tokens FROM cells WHERE tokens IS NOT NULL
    ) AS c
    LEFT JOIN _token_ranges_v1 AS r ON c.tokens BETWEEN r.tokens_low AND r.tokens_high
),
neighbours AS (
    SELECT
        base, cand, rank, phase, tokens, hand_low, hand_high,
        lag(CASE WHEN hand_low IS NULL THEN tokens END) OVER (
            PARTITION BY base, cand, rank, phase ORDER BY tokens
        ) AS before
    FROM counts
),
numbered AS (
    SELECT
        base, cand, rank, phase, tokens, hand_low, hand_high,
        CAST(sum(
            CASE WHEN before >= 32 AND tokens <= 1.02 * before AND hand_low IS NULL
                THEN 0 ELSE 1 END
        ) OVER (
            PARTITION BY base, cand, rank, phase ORDER BY tokens
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS place
    FROM neighbours
),
spans AS (
    SELECT
        base, cand, rank, phase, tokens,
        coalesce(hand_low, min(tokens) OVER (
            PARTITION BY base, cand, rank, phase, place
        )) AS tokens_low,
        coalesce(hand_high, max(tokens) OVER (
            PARTITION BY base, cand, rank, phase, place
        )) AS tokens_high
    FROM numbered
),
-- Every step counts twice: in the group of its tokens, and in that of all counts.
placed AS (
    SELECT
        c.base, c.cand, c.rank, c.phase, s.tokens_low, s.tokens_high, c.family, c.base_steps,
        c.cand_steps, c.base_tokens, c.cand_tokens, c.base_launches, c.cand_launches,
        c.base_ns, c.cand_ns, c.tokens
    FROM cells AS c
    JOIN spans AS s
        ON s.base = c.base AND s.cand = c.cand AND s.rank = c.rank AND s.phase = c.phase
        AND s.tokens = c.tokens
    UNION ALL
    SELECT
        base, cand, rank, phase, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), family, base_steps,
        cand_steps, base_tokens, cand_tokens, base_launches, cand_launches, base_ns, cand_ns,
        tokens
    FROM cells
),
sums AS (
    SELECT
        base, cand, rank, phase, tokens_low, tokens_high, family,
        CAST(sum(base_steps) AS BIGINT) AS base_steps,
        CAST(sum(cand_steps) AS BIGINT) AS cand_steps,
        CASE WHEN count(*) = count(tokens) THEN CAST(sum(base_tokens) AS BIGINT) END
            AS base_tokens,
        CASE WHEN count(*) = count(tokens) THEN CAST(sum(cand_tokens) AS BIGINT) END
            AS cand_tokens,
        CAST(sum(base_launches) AS BIGINT) AS base_launches,
        CAST(sum(cand_launches) AS BIGINT) AS cand_launches,
        CAST(sum(base_ns) AS BIGINT) AS base_ns,
        CAST(sum(cand_ns) AS BIGINT) AS cand_ns
    FROM placed
    GROUP BY base, cand, rank, phase, tokens_low, tokens_high, family
),
-- The rows of steps have no work of their own: they become those of all families.
whole AS (
    SELECT
        base, cand, rank, phase, tokens_low, tokens_high, coalesce(family, 'all') AS family,
        CAST(sum(base_steps) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) AS base_steps,
        CAST(sum(cand_steps) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) AS cand_steps,
        max(base_tokens) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS base_tokens,
        max(cand_tokens) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS cand_tokens,
        CASE WHEN family IS NOT NULL THEN base_launches ELSE CAST(sum(base_launches) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) END AS base_launches,
        CASE WHEN family IS NOT NULL THEN cand_launches ELSE CAST(sum(cand_launches) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) END AS cand_launches,
        CASE WHEN family IS NOT NULL THEN base_ns ELSE CAST(sum(base_ns) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) END AS base_ns,
        CASE WHEN family IS NOT NULL THEN cand_ns ELSE CAST(sum(cand_ns) OVER (
            PARTITION BY base, cand, rank, phase, tokens_low, tokens_high
        ) AS BIGINT) END AS cand_ns
    FROM sums
)
SELECT
    base, cand, rank, phase, tokens_low, tokens_high, family, base_steps, cand_steps,
    base_tokens, cand_tokens,
    base_launches / nullif(base_steps, 0) AS base_launches_per_step,
    cand_launches / nullif(cand_steps, 0) AS cand_launches_per_step,
    base_ns / nullif(base_steps, 0) / 1e6 AS base_ms_per_step,
    cand_ns / nullif(cand_steps, 0) / 1e6 AS cand_ms_per_step,
    base_ns / nullif(base_tokens, 0) / 1e6 AS base_ms_per_token,
    cand_ns / nullif(cand_tokens, 0) / 1e6 AS cand_ms_per_token,
    (cand_ns / nullif(cand_steps, 0)) / nullif(base_ns / nullif(base_steps, 0), 0) - 1
        AS ms_per_step_change,
    (cand_ns / nullif(cand_tokens, 0)) / nullif(base_ns / nullif(base_tokens, 0), 0) - 1
        AS ms_per_token_change
FROM whole;

COMMENT ON VIEW family_token_diff_v1 IS
    'One row per pair of runs, rank, phase, near token counts and family: WHERE base = …';
COMMENT ON COLUMN family_token_diff_v1.base IS
    'Run compared against; give it as a literal or a parameter.';
COMMENT ON COLUMN family_token_diff_v1.cand IS
    'Run under question; give it as a literal or a parameter.';
COMMENT ON COLUMN family_token_diff_v1.rank IS 'Rank, the same on both sides; -1 where unknown.';
COMMENT ON COLUMN family_token_diff_v1.phase IS 'Phase of the complete steps.';
COMMENT ON COLUMN family_token_diff_v1.tokens_low IS
    'Fewest scheduled tokens, read and generated, of a step of the group; NULL for all counts.';
COMMENT ON COLUMN family_token_diff_v1.tokens_high IS 'Most scheduled tokens of a step.';
COMMENT ON COLUMN family_token_diff_v1.family IS
    'Kind of work, by table family_rules, or all for all together.';
COMMENT ON COLUMN family_token_diff_v1.base_steps IS 'Base: complete steps of the group.';
COMMENT ON COLUMN family_token_diff_v1.cand_steps IS 'Candidate: complete steps of the group.';
COMMENT ON COLUMN family_token_diff_v1.base_tokens IS
    'Base: tokens of these steps; NULL where those of one are not told.';
COMMENT ON COLUMN family_token_diff_v1.cand_tokens IS
    'Candidate: tokens of these steps; NULL where those of one are not told.';
COMMENT ON COLUMN family_token_diff_v1.base_launches_per_step IS 'Base: launches / steps.';
COMMENT ON COLUMN family_token_diff_v1.cand_launches_per_step IS 'Candidate: launches / steps.';
COMMENT ON COLUMN family_token_diff_v1.base_ms_per_step IS
    'Base: sum of the durations / steps, ms; on this rank alone.';
COMMENT ON COLUMN family_token_diff_v1.cand_ms_per_step IS
    'Candidate: sum of the durations / steps, ms; on this rank alone.';
COMMENT ON COLUMN family_token_diff_v1.base_ms_per_token IS
    'Base: sum of the durations / tokens, ms.';
COMMENT ON COLUMN family_token_diff_v1.cand_ms_per_token IS
    'Candidate: sum of the durations / tokens, ms.';
COMMENT ON COLUMN family_token_diff_v1.ms_per_step_change IS
    'cand_ms_per_step / base_ms_per_step - 1, a fraction.';
COMMENT ON COLUMN family_token_diff_v1.ms_per_token_change IS
    'cand_ms_per_token / base_ms_per_token - 1, a fraction.';

-- Launches with the shape in which the tokens are written T, so that shapes that differ only in
-- their token count are alike.
CREATE OR REPLACE VIEW _pattern_launches_v1 AS
WITH tokened AS (
    SELECT
        s.shape_id, o.name_id AS op_id, s.shape,
        CASE
            WHEN t.op IS NULL THEN s.tokens
            ELSE TRY_CAST(split_part(split_part(s.shape, ';', t.tensor), ',', 1) AS BIGINT)
        END AS tokens
    FROM (SELECT DISTINCT op_id, shape_id FROM kernels) AS k
    JOIN shapes AS s ON s.shape_id = k.shape_id
    JOIN names AS o ON o.name_id = k.op_id
    LEFT JOIN token_tensors AS t ON t.op = o.name
),
patterns AS (
    SELECT
        shape_id, op_id, tokens,
        -- Each tensor in brackets; a vector counts from 32 on, where counts are pooled at all.
        CASE
            WHEN tokens IS NULL THEN shape
            ELSE replace(replace(replace(replace(
                '[' || replace(shape, ';', '];[') || ']',
                '[' || CAST(tokens AS VARCHAR) || ',', '[T,'),
                '[' || CAST(tokens AS VARCHAR) || ']',
                CASE WHEN tokens < 32 THEN '[' || CAST(tokens AS VARCHAR) || ']' ELSE '[T]' END),
                '[', ''), ']', '')
        END AS pattern
    FROM tokened
)
SELECT
    l.label, l.rank, l.profile_id, l.phase, l.context_id, l.complete, l.op_id, g.group_id,
    l.shape_id, p.pattern, p.tokens, l.start_ns, l.dur_ns
FROM _launches_v1 AS l
JOIN _kernel_groups_v1 AS g ON g.kernel_id = l.kernel_id
LEFT JOIN patterns AS p ON p.shape_id = l.shape_id AND p.op_id = l.op_id;

COMMENT ON VIEW _pattern_launches_v1 IS
    'One row per launch, with its shape as a pattern of tokens; from kernels.';
COMMENT ON COLUMN _pattern_launches_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _pattern_launches_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _pattern_launches_v1.profile_id IS
    'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _pattern_launches_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _pattern_launches_v1.context_id IS
    'The step of table contexts that launched it; NULL outside any.';
COMMENT ON COLUMN _pattern_launches_v1.complete IS
    'Whether it belongs to a complete step; false outside any.';
COMMENT ON COLUMN _pattern_launches_v1.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN _pattern_launches_v1.group_id IS 'Lowest kernel_id with the same stable name.';
COMMENT ON COLUMN _pattern_launches_v1.shape_id IS 'The input shapes, of table shapes.';
COMMENT ON COLUMN _pattern_launches_v1.pattern IS
    'The shape, with T where a tensor begins with the tokens.';
COMMENT ON COLUMN _pattern_launches_v1.tokens IS 'Tokens of the shape; NULL where it tells none.';
COMMENT ON COLUMN _pattern_launches_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN _pattern_launches_v1.dur_ns IS 'Duration on the device, ns.';

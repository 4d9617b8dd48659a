-- The twenty longest times of a device in which nothing ran, and what the host called last before.
CREATE OR REPLACE VIEW gaps_v1 AS
WITH marked AS (
    SELECT label, rank, profile_id, device, phase, context_id, op_id, start_ns, dur_ns
    FROM _launches_v1
    UNION ALL
    -- Of a time that was not recorded nobody knows that nothing ran.
    SELECT
        label, rank, profile_id, device, CAST(NULL AS VARCHAR), CAST(NULL AS BIGINT), name_id,
        start_ns, dur_ns
    FROM _pauses_v1
),
spans AS (
    SELECT
        label, rank, profile_id, device, phase, context_id, op_id, start_ns,
        max(start_ns + dur_ns) OVER (
            PARTITION BY label, rank, profile_id, device ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS ended_ns,
        lag(op_id) OVER (
            PARTITION BY label, rank, profile_id, device ORDER BY start_ns
        ) AS before_op_id
    FROM marked
),
placed AS (
    SELECT
        label, rank, profile_id, device, phase, context_id, op_id, before_op_id, start_ns,
        ended_ns,
        row_number() OVER (
            PARTITION BY label, rank, profile_id, device
            ORDER BY start_ns - ended_ns DESC, start_ns
        ) AS place
    FROM spans
    WHERE start_ns > ended_ns
),
longest AS (
    SELECT
        label, rank, profile_id, device, phase, context_id, op_id, before_op_id, start_ns,
        ended_ns, place
    FROM placed
    WHERE place <= 20
),
calls AS (
    SELECT
        g.label, g.rank, g.profile_id, g.device, g.place,
        max_by(e.name_id, e.start_ns) AS name_id
    FROM longest AS g
    JOIN events AS e ON e.profile_id = g.profile_id AND e.start_ns < g.start_ns
    JOIN categories AS c ON c.category_id = e.category_id
    WHERE lower(c.category) IN ('cuda_runtime', 'cuda_driver', 'runtime', 'cann_api')
    GROUP BY g.label, g.rank, g.profile_id, g.device, g.place
)
SELECT
    g.label, g.rank, g.profile_id, g.device, g.place, g.phase, g.context_id,
    (g.start_ns - g.ended_ns) / 1e6 AS gap_ms,
    b.name AS before_op, a.name AS after_op, n.name AS last_call,
    g.ended_ns AS start_ns
FROM longest AS g
LEFT JOIN calls AS c
    ON c.label = g.label AND c.rank = g.rank AND c.profile_id = g.profile_id
    AND c.device = g.device AND c.place = g.place
LEFT JOIN names AS b ON b.name_id = g.before_op_id
LEFT JOIN names AS a ON a.name_id = g.op_id
LEFT JOIN names AS n ON n.name_id = c.name_id;

COMMENT ON VIEW gaps_v1 IS 'One row per profile, device and one of its twenty longest gaps.';
COMMENT ON COLUMN gaps_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN gaps_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN gaps_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN gaps_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN gaps_v1.place IS 'Place among the gaps of the device, the longest first, from 1.';
COMMENT ON COLUMN gaps_v1.phase IS
    'Phase of the launch that ends the gap; NULL for a pause of the recording.';
COMMENT ON COLUMN gaps_v1.context_id IS 'Step of the launch that ends the gap; NULL outside any.';
COMMENT ON COLUMN gaps_v1.gap_ms IS 'Time in which nothing ran on the device, ms.';
COMMENT ON COLUMN gaps_v1.before_op IS
    'Operator of the launch, or kind of the pause, that began last before it.';
COMMENT ON COLUMN gaps_v1.after_op IS
    'Operator of the launch, or kind of the pause, that ends it.';
COMMENT ON COLUMN gaps_v1.last_call IS
    'Runtime call that began last before the gap ended; NULL where none was recorded.';
COMMENT ON COLUMN gaps_v1.start_ns IS 'Start of the gap, ns since the epoch.';

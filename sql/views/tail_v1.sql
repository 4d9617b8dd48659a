-- The ten slowest launches of every operator and shape: when, where in the step, after how long,
-- beside what. Ask for the rows of one run, and best of one operator.
CREATE OR REPLACE VIEW tail_v1 AS
WITH placed AS (
    SELECT
        label, rank, profile_id, phase, device, stream, context_id, op_id, kernel_id, shape_id,
        start_ns, dur_ns,
        row_number() OVER (
            PARTITION BY label, rank, profile_id, context_id ORDER BY start_ns, stream
        ) AS position,
        start_ns - max(start_ns + dur_ns) OVER (
            PARTITION BY label, rank, profile_id, device ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS idle_ns,
        start_ns - min(start_ns) OVER (PARTITION BY label, rank, profile_id) AS since_ns,
        row_number() OVER (
            PARTITION BY label, rank, phase, op_id, shape_id ORDER BY dur_ns DESC, start_ns
        ) AS place,
        row_number() OVER (
            PARTITION BY label, rank, profile_id, op_id, shape_id ORDER BY start_ns
        ) AS turn
    FROM _launches_v1
),
slow AS (
    SELECT
        label, rank, profile_id, phase, device, stream, context_id, op_id, kernel_id, shape_id,
        start_ns, dur_ns, position, idle_ns, since_ns, place, turn
    FROM placed
    WHERE place <= 10
),
beside AS (
    SELECT
        s.label, s.rank, s.phase, s.op_id, s.shape_id, s.place,
        count(*) AS launches,
        CAST(sum(
            least(s.start_ns + s.dur_ns, l.start_ns + l.dur_ns) - greatest(s.start_ns, l.start_ns)
        ) AS BIGINT) AS overlap_ns,
        max_by(
            l.op_id,
            least(s.start_ns + s.dur_ns, l.start_ns + l.dur_ns) - greatest(s.start_ns, l.start_ns)
        ) AS op_id_beside
    FROM slow AS s
    JOIN _launches_v1 AS l
        ON l.label = s.label AND l.rank = s.rank AND l.profile_id = s.profile_id
        AND l.device = s.device AND l.stream IS DISTINCT FROM s.stream
        AND l.start_ns < s.start_ns + s.dur_ns AND s.start_ns < l.start_ns + l.dur_ns
    GROUP BY s.label, s.rank, s.phase, s.op_id, s.shape_id, s.place
)
SELECT
    s.label, s.rank, s.phase, o.name AS op, coalesce(k.stable_name, k.name) AS kernel,
    coalesce(h.shape, '') AS shape, s.place,
    s.dur_ns / 1e3 AS dur_us,
    s.since_ns / 1e6 AS since_ms,
    s.context_id, s.position, s.device, s.stream, s.start_ns,
    CASE WHEN s.idle_ns > 0 THEN s.idle_ns ELSE 0 END / 1e3 AS idle_before_us,
    s.turn = 1 AS first_of_shape,
    coalesce(b.launches, 0) AS beside,
    coalesce(b.overlap_ns, 0) / 1e3 AS beside_us,
    w.name AS beside_op
FROM slow AS s
LEFT JOIN beside AS b
    ON b.label = s.label AND b.rank = s.rank AND b.phase = s.phase
    AND b.op_id = s.op_id AND b.shape_id = s.shape_id AND b.place = s.place
LEFT JOIN names AS o ON o.name_id = s.op_id
LEFT JOIN names AS w ON w.name_id = b.op_id_beside
LEFT JOIN kernel_names AS k ON k.kernel_id = s.kernel_id
LEFT JOIN shapes AS h ON h.shape_id = s.shape_id;

COMMENT ON VIEW tail_v1 IS
    'One row per phase, operator, shape and one of its ten slowest launches.';
COMMENT ON COLUMN tail_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN tail_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN tail_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN tail_v1.op IS 'Innermost operator that launched it, else the stable kernel name.';
COMMENT ON COLUMN tail_v1.kernel IS 'Kernel name without generated numbering and counters.';
COMMENT ON COLUMN tail_v1.shape IS 'Input shapes; '''' where unknown.';
COMMENT ON COLUMN tail_v1.place IS
    'Place among the launches of the shape, the slowest first, from 1.';
COMMENT ON COLUMN tail_v1.dur_us IS 'Duration on the device, us.';
COMMENT ON COLUMN tail_v1.since_ms IS 'Time since the first launch of the profile, ms.';
COMMENT ON COLUMN tail_v1.context_id IS
    'The step of context_time that launched it; NULL outside any.';
COMMENT ON COLUMN tail_v1.position IS 'Place among the launches of its step, from 1.';
COMMENT ON COLUMN tail_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN tail_v1.stream IS 'Stream of the device; NULL for collectives of Ascend.';
COMMENT ON COLUMN tail_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN tail_v1.idle_before_us IS
    'Time before it in which nothing ran on the device, us.';
COMMENT ON COLUMN tail_v1.first_of_shape IS
    'Whether it is the first launch of its operator and shape in the profile.';
COMMENT ON COLUMN tail_v1.beside IS 'Launches on other streams of the device at the time.';
COMMENT ON COLUMN tail_v1.beside_us IS 'Time that these overlap it, summed, us.';
COMMENT ON COLUMN tail_v1.beside_op IS
    'Operator of the launch that overlaps it the longest; NULL where none does.';

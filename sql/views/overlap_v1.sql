-- How device time splits into computing, communication and nothing: unions of intervals, never sums
-- of durations. Fused communication is neither, since its time holds both work and waiting.
CREATE OR REPLACE VIEW overlap_v1 AS
WITH marked AS (
    SELECT
        l.label, l.rank, l.profile_id, l.device, l.phase, l.start_ns, l.dur_ns,
        CASE WHEN n.family = 'communication' THEN 1 ELSE 0 END AS communicates,
        CASE WHEN n.family = 'fused_communication' THEN 1 ELSE 0 END AS fuses
    FROM _launches_v1 AS l
    JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
),
-- Each launch counts in its phase and in the whole window.
launches AS (
    SELECT
        label, rank, profile_id, device, phase, start_ns, dur_ns, communicates, fuses
    FROM marked
    UNION ALL
    SELECT
        label, rank, profile_id, device, 'all', start_ns, dur_ns, communicates, fuses
    FROM marked
),
-- A step lasts until the next begins; the last one until its work ends.
spans AS (
    SELECT
        label, rank, profile_id, device, context_id,
        max(start_ns + dur_ns) - min(start_ns) AS span_ns
    FROM _launches_v1
    WHERE context_id IS NOT NULL
    GROUP BY label, rank, profile_id, device, context_id
),
windows AS (
    SELECT
        c.label, c.rank, c.profile_id, c.device, c.phase, c.start_ns,
        coalesce(c.period_ns, s.span_ns) AS dur_ns
    FROM _context_cells_v1 AS c
    JOIN spans AS s
        ON s.label = c.label AND s.rank = c.rank AND s.profile_id = c.profile_id
        AND s.device = c.device AND s.context_id = c.context_id
    UNION ALL
    SELECT
        label, rank, profile_id, device, 'all', min(start_ns),
        max(start_ns + dur_ns) - min(start_ns)
    FROM _launches_v1
    GROUP BY label, rank, profile_id, device
),
-- What lies of a pause within a window.
pauses AS (
    SELECT
        p.label, p.rank, p.profile_id, p.device, w.phase,
        greatest(p.start_ns, w.start_ns) AS start_ns,
        least(p.start_ns + p.dur_ns, w.start_ns + w.dur_ns) AS end_ns
    FROM _pauses_v1 AS p
    JOIN windows AS w
        ON w.label = p.label AND w.profile_id = p.profile_id AND w.device = p.device
        AND w.start_ns < p.start_ns + p.dur_ns AND p.start_ns < w.start_ns + w.dur_ns
),
edges AS (
    SELECT
        label, rank, profile_id, device, phase, start_ns AS at_ns,
        1 - communicates - fuses AS computing, communicates AS communicating, fuses AS fused,
        0 AS paused
    FROM launches
    UNION ALL
    SELECT
        label, rank, profile_id, device, phase, start_ns + dur_ns,
        communicates + fuses - 1, -communicates, -fuses, 0
    FROM launches
    UNION ALL
    SELECT label, rank, profile_id, device, phase, start_ns, 0, 0, 0, 1
    FROM pauses
    UNION ALL
    SELECT label, rank, profile_id, device, phase, end_ns, 0, 0, 0, -1
    FROM pauses
),
slices AS (
    SELECT
        label, rank, profile_id, device, phase,
        lead(at_ns) OVER (
            PARTITION BY label, rank, profile_id, device, phase
            ORDER BY at_ns, computing, communicating, fused, paused
        ) - at_ns AS dur_ns,
        CAST(sum(computing) OVER (
            PARTITION BY label, rank, profile_id, device, phase
            ORDER BY at_ns, computing, communicating, fused, paused
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS computing,
        CAST(sum(communicating) OVER (
            PARTITION BY label, rank, profile_id, device, phase
            ORDER BY at_ns, computing, communicating, fused, paused
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS communicating,
        CAST(sum(fused) OVER (
            PARTITION BY label, rank, profile_id, device, phase
            ORDER BY at_ns, computing, communicating, fused, paused
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS fused,
        CAST(sum(paused) OVER (
            PARTITION BY label, rank, profile_id, device, phase
            ORDER BY at_ns, computing, communicating, fused, paused
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS paused
    FROM edges
),
unions AS (
    SELECT
        label, rank, profile_id, device, phase,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE computing > 0), 0) AS BIGINT) AS computing_ns,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE communicating > 0), 0) AS BIGINT)
            AS communication_ns,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE fused > 0), 0) AS BIGINT) AS fused_ns,
        CAST(coalesce(sum(dur_ns) FILTER (WHERE computing > 0 OR fused > 0), 0) AS BIGINT)
            AS covered_ns,
        CAST(coalesce(sum(dur_ns) FILTER (
            WHERE communicating > 0 AND computing = 0 AND fused = 0
        ), 0) AS BIGINT) AS exposed_ns,
        CAST(coalesce(sum(dur_ns) FILTER (
            WHERE paused > 0 AND communicating = 0 AND computing = 0 AND fused = 0
        ), 0) AS BIGINT) AS paused_ns
    FROM slices
    GROUP BY label, rank, profile_id, device, phase
),
totals AS (
    SELECT label, rank, profile_id, device, phase, CAST(sum(dur_ns) AS BIGINT) AS window_ns
    FROM windows
    GROUP BY label, rank, profile_id, device, phase
)
SELECT
    u.label, u.rank, u.profile_id, u.phase, u.device,
    w.window_ns / 1e6 AS window_ms,
    u.computing_ns / 1e6 AS computing_ms,
    u.communication_ns / 1e6 AS communication_ms,
    u.fused_ns / 1e6 AS fused_communication_ms,
    u.exposed_ns / 1e6 AS exposed_communication_ms,
    (w.window_ns - u.covered_ns - u.exposed_ns - u.paused_ns) / 1e6 AS free_ms,
    u.covered_ns / 1e6 AS covered_ms,
    u.paused_ns / 1e6 AS paused_ms
FROM unions AS u
LEFT JOIN totals AS w
    ON w.label = u.label AND w.rank = u.rank AND w.profile_id = u.profile_id
    AND w.device = u.device AND w.phase = u.phase;

COMMENT ON VIEW overlap_v1 IS
    'One row per profile, phase (all for the whole window) and device; unions of intervals.';
COMMENT ON COLUMN overlap_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN overlap_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN overlap_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN overlap_v1.phase IS
    'Phase of the steps, outside, unknown, or all for the whole window.';
COMMENT ON COLUMN overlap_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN overlap_v1.window_ms IS
    'Sum over the steps from first launch to that of the next, ms; all: first to last launch.';
COMMENT ON COLUMN overlap_v1.computing_ms IS
    'Time with a launch that is neither communication nor fused communication, ms.';
COMMENT ON COLUMN overlap_v1.communication_ms IS 'Time with communication, ms.';
COMMENT ON COLUMN overlap_v1.fused_communication_ms IS
    'Time with fused communication, which holds computing and waiting, ms.';
COMMENT ON COLUMN overlap_v1.exposed_communication_ms IS
    'Time with communication and nothing else, ms.';
COMMENT ON COLUMN overlap_v1.free_ms IS
    'window_ms - covered_ms - exposed_communication_ms - paused_ms; NULL for work of no step.';
COMMENT ON COLUMN overlap_v1.covered_ms IS 'Time with computing or fused communication, ms.';
COMMENT ON COLUMN overlap_v1.paused_ms IS
    'Time without work in which the profiler recorded none (MEM_WAIT_VALUE, CAPTURE_WAIT), ms.';

-- Launches with a number for their phase, completeness of the step, family and implementation, so
-- that a sweep over time can tell whether all that runs at an instant is of one bucket.
CREATE OR REPLACE VIEW _buckets_v1 AS
WITH groups AS (
    SELECT family, implementation, min(kernel_id) AS group_id
    FROM kernel_names
    GROUP BY family, implementation
)
SELECT
    l.label, l.rank, l.profile_id, l.device, l.start_ns, l.dur_ns,
    l.phase, l.complete, n.family, n.implementation,
    (
        g.group_id * 16 + CASE l.phase
            WHEN 'prefill' THEN 0 WHEN 'prefill_tail' THEN 1 WHEN 'decode' THEN 2
            WHEN 'mixed' THEN 3 WHEN 'draft' THEN 4 WHEN 'idle' THEN 5 WHEN 'unknown' THEN 6
            ELSE 7
        END
    ) * 2 + CASE WHEN l.complete THEN 1 ELSE 0 END AS bucket
FROM _launches_v1 AS l
JOIN kernel_names AS n ON n.kernel_id = l.kernel_id
JOIN groups AS g ON g.family = n.family AND g.implementation = n.implementation;

COMMENT ON VIEW _buckets_v1 IS 'One row per launch, with a number for its bucket; from kernels.';
COMMENT ON COLUMN _buckets_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _buckets_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _buckets_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN _buckets_v1.device IS 'Ordinal of the device on its host.';
COMMENT ON COLUMN _buckets_v1.start_ns IS 'Start on the device, ns since the epoch.';
COMMENT ON COLUMN _buckets_v1.dur_ns IS 'Duration on the device, ns.';
COMMENT ON COLUMN _buckets_v1.phase IS
    'Phase of the step that launched it; outside where none did, unknown where it cannot be told.';
COMMENT ON COLUMN _buckets_v1.complete IS
    'Whether it belongs to a complete step; false outside any.';
COMMENT ON COLUMN _buckets_v1.family IS 'Kind of work, by table family_rules.';
COMMENT ON COLUMN _buckets_v1.implementation IS
    'Library or code generator, by table family_rules.';
COMMENT ON COLUMN _buckets_v1.bucket IS
    'Number of the phase, completeness, family and implementation.';

-- Launches by operator type and core, counted from the launches and as the vendor says.
CREATE OR REPLACE VIEW _vendor_operators_v1 AS
WITH by_name AS (
    SELECT
        r.label, p.rank, k.profile_id, k.kernel_id, k.core,
        count(*) AS launches,
        CAST(sum(k.dur_ns) AS BIGINT) AS total_ns,
        min(k.dur_ns) AS min_ns,
        max(k.dur_ns) AS max_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    -- Of profiles without the vendor's table there is nothing to compare.
    JOIN (SELECT DISTINCT profile_id FROM vendor_operators) AS v ON v.profile_id = p.profile_id
    JOIN kernels AS k ON k.profile_id = p.profile_id
    -- Whole collectives are none of the vendor's operators.
    WHERE k.core IS DISTINCT FROM 'COMMUNICATION'
    GROUP BY r.label, p.rank, k.profile_id, k.kernel_id, k.core
),
sides AS (
    SELECT
        b.label, b.rank, b.profile_id, n.op_type, coalesce(b.core, '') AS core,
        b.launches, b.total_ns, b.min_ns, b.max_ns,
        CAST(NULL AS BIGINT) AS vendors_launches,
        CAST(NULL AS BIGINT) AS vendors_total_ns,
        CAST(NULL AS BIGINT) AS vendors_min_ns,
        CAST(NULL AS BIGINT) AS vendors_max_ns,
        0 AS stated
    FROM by_name AS b
    JOIN kernel_names AS n ON n.kernel_id = b.kernel_id
    WHERE n.op_type <> ''
    UNION ALL
    SELECT
        r.label, p.rank, v.profile_id, v.op_type, coalesce(v.core, ''),
        NULL, NULL, NULL, NULL, v.launches, v.total_ns, v.min_ns, v.max_ns, 1
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN vendor_operators AS v ON v.profile_id = p.profile_id
    -- Tasks alone tell of no operator types.
    WHERE p.format IS DISTINCT FROM 'ascend_tasks'
)
SELECT
    label, rank, profile_id,
    op_type || '|' || core AS item,
    CAST(coalesce(sum(launches), 0) AS BIGINT) AS launches,
    CAST(sum(total_ns) AS BIGINT) AS total_ns,
    min(min_ns) AS min_ns,
    max(max_ns) AS max_ns,
    CAST(sum(vendors_launches) AS BIGINT) AS vendors_launches,
    CAST(sum(vendors_total_ns) AS BIGINT) AS vendors_total_ns,
    min(vendors_min_ns) AS vendors_min_ns,
    max(vendors_max_ns) AS vendors_max_ns,
    max(stated) = 1 AS stated
FROM sides
GROUP BY label, rank, profile_id, op_type, core;

COMMENT ON VIEW _vendor_operators_v1 IS
    'One row per profile, operator type and core, without collectives: ours beside the vendor''s.';
COMMENT ON COLUMN _vendor_operators_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _vendor_operators_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _vendor_operators_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN _vendor_operators_v1.item IS 'Operator type | core.';
COMMENT ON COLUMN _vendor_operators_v1.launches IS 'Stored launches.';
COMMENT ON COLUMN _vendor_operators_v1.total_ns IS 'Sum of their durations, ns; NULL without any.';
COMMENT ON COLUMN _vendor_operators_v1.min_ns IS 'Shortest of them, ns.';
COMMENT ON COLUMN _vendor_operators_v1.max_ns IS 'Longest of them, ns.';
COMMENT ON COLUMN _vendor_operators_v1.vendors_launches IS 'Launches by vendor_operators.';
COMMENT ON COLUMN _vendor_operators_v1.vendors_total_ns IS 'Total time by the vendor, ns.';
COMMENT ON COLUMN _vendor_operators_v1.vendors_min_ns IS 'Shortest launch by the vendor, ns.';
COMMENT ON COLUMN _vendor_operators_v1.vendors_max_ns IS 'Longest launch by the vendor, ns.';
COMMENT ON COLUMN _vendor_operators_v1.stated IS 'Whether the vendor''s table has the group.';

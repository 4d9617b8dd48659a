-- The split of the window, from the launches and as the vendor says. Parts of several steps add up;
-- what lies between steps is in no step of the vendor.
CREATE OR REPLACE VIEW _vendor_window_v1 AS
WITH ours AS (
    SELECT
        label, rank, profile_id, device, window_ms, covered_ms, exposed_communication_ms,
        free_ms + paused_ms AS free_ms
    FROM overlap_v1
    WHERE phase = 'all'
),
only_device AS (
    SELECT label, profile_id, min(device) AS device
    FROM ours
    GROUP BY label, profile_id
    HAVING count(*) = 1
),
stated AS (
    SELECT
        r.label, p.rank, v.profile_id,
        CASE WHEN v.device >= 0 THEN v.device ELSE o.device END AS device,
        v.step, v.computing_ns, v.exposed_communication_ns, v.free_ns
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    JOIN vendor_steps AS v ON v.profile_id = p.profile_id
    LEFT JOIN only_device AS o ON o.label = r.label AND o.profile_id = v.profile_id
    -- Tasks alone tell of no collectives.
    WHERE p.format IS DISTINCT FROM 'ascend_tasks'
),
summed AS (
    SELECT
        label, rank, profile_id, device,
        count(*) AS steps,
        CAST(sum(computing_ns) AS BIGINT) AS computing_ns,
        CAST(sum(exposed_communication_ns) AS BIGINT) AS exposed_ns,
        CAST(sum(free_ns) AS BIGINT) AS free_ns
    FROM stated
    GROUP BY label, rank, profile_id, device
)
SELECT
    s.label, s.rank, s.profile_id, s.steps,
    'device ' || coalesce(CAST(s.device AS VARCHAR), 'not told') AS item,
    CAST(round(o.covered_ms * 1e6) AS BIGINT) AS computing_ns,
    CAST(round(o.exposed_communication_ms * 1e6) AS BIGINT) AS exposed_ns,
    CAST(round(o.free_ms * 1e6) AS BIGINT) AS free_ns,
    CAST(round(o.window_ms * 1e6) AS BIGINT) AS window_ns,
    s.computing_ns AS vendors_computing_ns,
    s.exposed_ns AS vendors_exposed_ns,
    CASE WHEN s.steps = 1 THEN s.free_ns END AS vendors_free_ns,
    CASE WHEN s.steps = 1 THEN s.computing_ns + s.exposed_ns + s.free_ns END AS vendors_window_ns
FROM summed AS s
LEFT JOIN ours AS o
    ON o.label = s.label AND o.profile_id = s.profile_id AND o.device = s.device;

COMMENT ON VIEW _vendor_window_v1 IS
    'One row per profile and device that the vendor split the time of: ours beside the vendor''s.';
COMMENT ON COLUMN _vendor_window_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _vendor_window_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _vendor_window_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN _vendor_window_v1.steps IS 'Rows of vendor_steps, summed here.';
COMMENT ON COLUMN _vendor_window_v1.item IS 'The device.';
COMMENT ON COLUMN _vendor_window_v1.computing_ns IS
    'overlap.covered_ms, ns: the vendor takes fused communication for computing.';
COMMENT ON COLUMN _vendor_window_v1.exposed_ns IS 'overlap.exposed_communication_ms, ns.';
COMMENT ON COLUMN _vendor_window_v1.free_ns IS
    'overlap.free_ms and paused_ms, ns: the vendor takes no notice of pauses.';
COMMENT ON COLUMN _vendor_window_v1.window_ns IS 'overlap.window_ms, ns.';
COMMENT ON COLUMN _vendor_window_v1.vendors_computing_ns IS 'Computing by the vendor, ns.';
COMMENT ON COLUMN _vendor_window_v1.vendors_exposed_ns IS
    'Communication(Not Overlapped) by the vendor, ns.';
COMMENT ON COLUMN _vendor_window_v1.vendors_free_ns IS
    'Free by the vendor, ns; NULL for several steps.';
COMMENT ON COLUMN _vendor_window_v1.vendors_window_ns IS
    'Computing + Communication(Not Overlapped) + Free, ns; NULL for several steps.';

-- What the vendor summed up, or tells again in another format, against the stored launches.
CREATE OR REPLACE VIEW vendor_check_v1 AS
WITH told AS (
    SELECT 'op_statistic' AS kind, 'count' AS figure, 1 AS unit, 0 AS tolerance
    UNION ALL
    SELECT 'op_statistic', 'total_us', 1000, 1000
    UNION ALL
    SELECT 'op_statistic', 'min_us', 1000, 0
    UNION ALL
    SELECT 'op_statistic', 'max_us', 1000, 0
    UNION ALL
    SELECT 'step_trace_time', 'computing_us', 1000, 1000
    UNION ALL
    SELECT 'step_trace_time', 'exposed_communication_us', 1000, 1000
    UNION ALL
    SELECT 'step_trace_time', 'free_us', 1000, 1000
    UNION ALL
    SELECT 'step_trace_time', 'window_us', 1000, 1000
),
-- Each side is computed once and then told figure by figure.
figures AS (
    SELECT
        o.label, o.rank, o.profile_id, n.kind, o.item, n.figure,
        CASE n.figure
            WHEN 'count' THEN o.launches
            WHEN 'total_us' THEN o.total_ns
            WHEN 'min_us' THEN o.min_ns
            ELSE o.max_ns
        END AS ours,
        CASE n.figure
            WHEN 'count' THEN o.vendors_launches
            WHEN 'total_us' THEN o.vendors_total_ns
            WHEN 'min_us' THEN o.vendors_min_ns
            ELSE o.vendors_max_ns
        END AS vendors,
        n.unit, n.tolerance, o.stated
    FROM _vendor_operators_v1 AS o
    JOIN told AS n ON n.kind = 'op_statistic'
    UNION ALL
    SELECT
        w.label, w.rank, w.profile_id, n.kind, w.item, n.figure,
        CASE n.figure
            WHEN 'computing_us' THEN w.computing_ns
            WHEN 'exposed_communication_us' THEN w.exposed_ns
            WHEN 'free_us' THEN w.free_ns
            ELSE w.window_ns
        END,
        CASE n.figure
            WHEN 'computing_us' THEN w.vendors_computing_ns
            WHEN 'exposed_communication_us' THEN w.vendors_exposed_ns
            WHEN 'free_us' THEN w.vendors_free_ns
            ELSE w.vendors_window_ns
        END,
        n.unit, n.tolerance, TRUE
    FROM _vendor_window_v1 AS w
    JOIN told AS n ON n.kind = 'step_trace_time'
)
SELECT
    label, rank, profile_id, kind, item, figure,
    CAST(ours AS DOUBLE) / nullif(unit, 0) AS ours,
    CAST(vendors AS DOUBLE) / nullif(unit, 0) AS vendors,
    CAST(ours - vendors AS DOUBLE) / nullif(unit, 0) AS difference,
    CASE
        WHEN abs(ours - vendors) <= tolerance THEN 'agrees'
        WHEN ours IS NOT NULL AND vendors IS NOT NULL THEN 'differs'
        -- A group that only one side has is told by its count.
        WHEN figure = 'count' AND NOT stated THEN 'differs'
        ELSE 'not comparable'
    END AS status
FROM figures
UNION ALL
SELECT
    r.label, p.rank, t.profile_id,
    CASE t.format WHEN 'ascend_db' THEN 'database' ELSE 'text' END,
    regexp_extract(t.path, '[^/]+$'),
    'launches',
    CAST(t.launches AS DOUBLE),
    CAST(t.agree AS DOUBLE),
    CAST(t.launches - t.agree AS DOUBLE),
    CASE WHEN t.only_stored = 0 AND t.only_twin = 0 THEN 'agrees' ELSE 'differs' END
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN twin_checks AS t ON t.profile_id = p.profile_id;

COMMENT ON VIEW vendor_check_v1 IS
    'One row per profile and figure of op_statistic.csv, step_trace_time.csv or a twin, checked.';
COMMENT ON COLUMN vendor_check_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN vendor_check_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN vendor_check_v1.profile_id IS 'Number of the profile in table profiles.';
COMMENT ON COLUMN vendor_check_v1.kind IS
    'op_statistic or step_trace_time; database or text: a twin, the same profile in that format.';
COMMENT ON COLUMN vendor_check_v1.item IS
    'Operator type | core, collectives left out; step_trace_time: the device; twins: the file.';
COMMENT ON COLUMN vendor_check_v1.figure IS
    'count, total_us, min_us, max_us; computing_us to window_us as in overlap; twins: launches.';
COMMENT ON COLUMN vendor_check_v1.ours IS
    'From the stored launches: sums by operator type; unions of intervals as in overlap; launches.';
COMMENT ON COLUMN vendor_check_v1.vendors IS
    'From the file; NULL: not told, or free and window of several steps; twins: launches alike.';
COMMENT ON COLUMN vendor_check_v1.difference IS 'ours - vendors.';
COMMENT ON COLUMN vendor_check_v1.status IS
    'agrees (sums within 1 us; twins with no launch more), differs, or not comparable: NULL.';

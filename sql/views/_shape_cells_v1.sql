-- One side of shape_diff: statistics per operator and shape on ids, and the main kernel of each.
CREATE OR REPLACE VIEW _shape_cells_v1 AS
WITH cells AS (
    SELECT
        label, rank, phase, op_id, shape_id,
        count(*) AS launches,
        CASE
            WHEN count(context_id) > 0
            THEN count(DISTINCT CASE WHEN complete THEN context_id END)
        END AS steps,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns,
        quantile_cont(dur_ns, 0.5) AS p50_ns,
        quantile_cont(dur_ns, 0.99) AS p99_ns,
        max(dur_ns) AS max_ns
    FROM _launches_v1
    GROUP BY label, rank, phase, op_id, shape_id
),
-- Summed by id first, so that no text is handled per launch.
by_id AS (
    SELECT
        label, rank, phase, op_id, shape_id, kernel_id,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns
    FROM _launches_v1
    GROUP BY label, rank, phase, op_id, shape_id, kernel_id
),
by_kernel AS (
    SELECT
        k.label, k.rank, k.phase, k.op_id, k.shape_id,
        coalesce(n.stable_name, n.name) AS kernel,
        CAST(sum(k.total_ns) AS BIGINT) AS total_ns
    FROM by_id AS k
    LEFT JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
    GROUP BY
        k.label, k.rank, k.phase, k.op_id, k.shape_id, coalesce(n.stable_name, n.name)
),
ranked AS (
    SELECT
        label, rank, phase, op_id, shape_id, kernel,
        row_number() OVER (
            PARTITION BY label, rank, phase, op_id, shape_id ORDER BY total_ns DESC, kernel
        ) AS place
    FROM by_kernel
)
SELECT
    c.label, c.rank, c.phase, c.op_id, c.shape_id, m.kernel, c.launches, c.steps, c.total_ns,
    c.p50_ns, c.p99_ns, c.max_ns
FROM cells AS c
LEFT JOIN ranked AS m
    ON m.label = c.label AND m.rank = c.rank AND m.phase = c.phase
    AND m.op_id IS NOT DISTINCT FROM c.op_id
    AND m.shape_id IS NOT DISTINCT FROM c.shape_id
    AND m.place = 1;

COMMENT ON VIEW _shape_cells_v1 IS
    'One row per label, rank, phase, operator and shape; from kernels.';
COMMENT ON COLUMN _shape_cells_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN _shape_cells_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN _shape_cells_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN _shape_cells_v1.op_id IS 'The operator, a text of table names.';
COMMENT ON COLUMN _shape_cells_v1.shape_id IS 'The input shapes, of table shapes.';
COMMENT ON COLUMN _shape_cells_v1.kernel IS
    'Stable name of the kernel with the largest total, the first by name among equals.';
COMMENT ON COLUMN _shape_cells_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN _shape_cells_v1.steps IS
    'Complete steps in which it ran; NULL for work of no step.';
COMMENT ON COLUMN _shape_cells_v1.total_ns IS 'Sum of the durations of all its launches, ns.';
COMMENT ON COLUMN _shape_cells_v1.p50_ns IS 'Exact interpolated median of the duration, ns.';
COMMENT ON COLUMN _shape_cells_v1.p99_ns IS
    'Exact interpolated 99th percentile of the duration, ns.';
COMMENT ON COLUMN _shape_cells_v1.max_ns IS 'Longest of its launches, ns.';

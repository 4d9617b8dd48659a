-- Per complete step what an operator took at a shape: launches of one forward pass are no
-- independent samples, passes are.
CREATE OR REPLACE VIEW pass_cells_v1 AS
SELECT
    l.label, l.rank, l.phase, l.context_id, o.name AS op,
    coalesce(k.stable_name, k.name) AS kernel, coalesce(l.pattern, '') AS shape, l.tokens,
    l.launches, l.total_ns / 1e6 AS total_ms, l.p50_ns / 1e3 AS p50_us,
    l.total_ns / nullif(l.launches, 0) / 1e3 AS mean_us
FROM (
    SELECT
        label, rank, phase, context_id, op_id, group_id, pattern, tokens,
        count(*) AS launches,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns,
        quantile_cont(dur_ns, 0.5) AS p50_ns
    FROM _pattern_launches_v1
    WHERE complete
    GROUP BY label, rank, phase, context_id, op_id, group_id, pattern, tokens
) AS l
LEFT JOIN names AS o ON o.name_id = l.op_id
LEFT JOIN kernel_names AS k ON k.kernel_id = l.group_id;

COMMENT ON VIEW pass_cells_v1 IS 'One row per complete step, operator, kernel and shape.';
COMMENT ON COLUMN pass_cells_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN pass_cells_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN pass_cells_v1.phase IS 'Phase of the step.';
COMMENT ON COLUMN pass_cells_v1.context_id IS 'The step of context_time.';
COMMENT ON COLUMN pass_cells_v1.op IS
    'Innermost operator that launched it, else the stable kernel name.';
COMMENT ON COLUMN pass_cells_v1.kernel IS 'Kernel name without generated numbering and counters.';
COMMENT ON COLUMN pass_cells_v1.shape IS 'Input shapes with T for the tokens; '''' where unknown.';
COMMENT ON COLUMN pass_cells_v1.tokens IS 'Tokens of the shape; NULL where it tells none.';
COMMENT ON COLUMN pass_cells_v1.launches IS 'Launches in the step.';
COMMENT ON COLUMN pass_cells_v1.total_ms IS 'Sum of their durations, ms.';
COMMENT ON COLUMN pass_cells_v1.p50_us IS 'Median of their durations, us.';
COMMENT ON COLUMN pass_cells_v1.mean_us IS 'Mean of their durations, us.';

-- Which rule gave each kernel of a run its family.
CREATE OR REPLACE VIEW kernel_rules_v1 AS
SELECT
    k.label, k.rank, k.kernel, k.family, k.implementation, k.rule,
    CASE WHEN r.rule IS NOT NULL THEN coalesce(r.origin, 'shipped') END AS origin,
    r.pattern, k.launches,
    k.total_ns / 1e6 AS total_ms,
    k.total_ns / nullif(CAST(
        sum(k.total_ns) OVER (PARTITION BY k.label, k.rank) AS BIGINT), 0)
        AS run_share,
    k.op_type, k.platform, k.stable_name, k.kind
FROM (
    SELECT
        c.label, c.rank, n.name AS kernel, n.op_type, n.platform, n.stable_name, n.family,
        n.implementation, n.rule, s.kind,
        CAST(sum(c.launches) AS BIGINT) AS launches,
        CAST(sum(c.total_ns) AS BIGINT) AS total_ns
    FROM _kernel_cells_v1 AS c
    LEFT JOIN kernel_names AS n ON n.kernel_id = c.kernel_id
    LEFT JOIN _kernel_kinds_v1 AS s ON s.kernel_id = c.kernel_id
    GROUP BY
        c.label, c.rank, n.name, n.op_type, n.platform, n.stable_name, n.family,
        n.implementation, n.rule, s.kind
) AS k
LEFT JOIN family_rules AS r ON r.rule = k.rule;

COMMENT ON VIEW kernel_rules_v1 IS
    'One row per kernel name: the rule that gave it its family.';
COMMENT ON COLUMN kernel_rules_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN kernel_rules_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN kernel_rules_v1.kernel IS
    'Kernel name as recorded, which the rules for names see.';
COMMENT ON COLUMN kernel_rules_v1.family IS
    'Kind of work, such as gemm or attention, by the rule; other where there is none.';
COMMENT ON COLUMN kernel_rules_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by the rule.';
COMMENT ON COLUMN kernel_rules_v1.rule IS
    'Number of the rule in family_rules, negative for those of users; NULL where none matches.';
COMMENT ON COLUMN kernel_rules_v1.origin IS
    'shipped, or the file of a user that the rule was added from; NULL where none matches.';
COMMENT ON COLUMN kernel_rules_v1.pattern IS
    'Regular expression (RE2) of the rule; NULL where none matches.';
COMMENT ON COLUMN kernel_rules_v1.launches IS
    'All launches of the row, those of incomplete steps too; copies count.';
COMMENT ON COLUMN kernel_rules_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN kernel_rules_v1.run_share IS
    'Device time / device time of the label and rank in all phases, a fraction of 1.';
COMMENT ON COLUMN kernel_rules_v1.op_type IS
    'Operator type of an Ascend kernel, which the rules for op_type see; empty elsewhere.';
COMMENT ON COLUMN kernel_rules_v1.platform IS 'Platform of the kernel, such as rocm.';
COMMENT ON COLUMN kernel_rules_v1.stable_name IS
    'Kernel name without generated numbering and counters, as kernel_time has it.';
COMMENT ON COLUMN kernel_rules_v1.kind IS
    'Kind of modules that it may serve; beside for a helper of such a kernel, NULL where none.';

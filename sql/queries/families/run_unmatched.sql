-- The kernels of a run that no rule names, over its ranks, by time; names that differ only in
-- generated numbering are one row.
SELECT launches, ms, share, op_type, names, kernel
FROM (
    SELECT rule, CAST(sum(launches) AS BIGINT) AS launches, round(sum(total_ms), 6) AS ms,
        round(sum(total_ms) / nullif(sum(sum(total_ms)) OVER (PARTITION BY label), 0), 6) AS share,
        op_type, count(DISTINCT kernel) AS names, min(kernel) AS kernel
    FROM kernel_rules WHERE label = $label
    GROUP BY label, rule, op_type, stable_name
)
WHERE rule IS NULL
ORDER BY ms DESC, kernel, op_type;

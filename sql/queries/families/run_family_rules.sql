-- Which rule won for each kernel of a run, over its ranks, by time. Names that differ only in
-- generated numbering are one row, where the same rule won.
SELECT family, implementation, rule, origin, CAST(sum(launches) AS BIGINT) AS launches,
    round(sum(total_ms), 6) AS ms, op_type, count(DISTINCT kernel) AS names, min(kernel) AS kernel
FROM kernel_rules WHERE label = $label
GROUP BY label, family, implementation, rule, origin, op_type, stable_name
ORDER BY ms DESC, kernel, op_type;

-- Operators at their shapes, in lists: paired (one row that sums up what runs on both sides), loss
-- and gain (by lost_ms, from $noise_share of the candidate's paired device time on; left_out counts
-- what lies below), base and cand (on that side only, by total), tail (by p99 / p50 of the
-- candidate or by growth of p99, where both launches and one of these reach a limit).
WITH shapes AS MATERIALIZED (
    SELECT
        *, -lost_ms AS gained_ms, cand_p99_us / nullif(cand_p50_us, 0) AS cand_tail,
        base_p99_us / nullif(base_p50_us, 0) AS base_tail,
        base_total_ms / nullif(sum(base_total_ms) OVER (), 0) AS base_share,
        cand_total_ms / nullif(sum(cand_total_ms) OVER (), 0) AS cand_share,
        coalesce(base_kernel <> cand_kernel, FALSE) AS kernel_changed,
        abs(lost_ms) >= $noise_share
            * sum(cand_total_ms) FILTER (WHERE base_launches > 0) OVER () AS heard
    FROM shape_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
paired AS (
    SELECT
        'paired' AS list, 1 AS place,
        count(*) FILTER (WHERE base_launches > 0 AND cand_launches > 0) AS listed,
        sum(base_total_ms) FILTER (WHERE cand_launches > 0) AS base_total_ms,
        sum(cand_total_ms) FILTER (WHERE base_launches > 0) AS cand_total_ms,
        sum(base_share) FILTER (WHERE cand_launches > 0) AS base_share,
        sum(cand_share) FILTER (WHERE base_launches > 0) AS cand_share,
        sum(lost_ms) AS list_lost_ms, sum(gained_ms) AS list_gained_ms,
        count(*) FILTER (WHERE lost_ms > 0 AND NOT heard) AS loss_left_out,
        sum(lost_ms) FILTER (WHERE lost_ms > 0 AND NOT heard) AS loss_left_out_ms,
        count(*) FILTER (WHERE lost_ms < 0 AND NOT heard) AS gain_left_out,
        sum(gained_ms) FILTER (WHERE lost_ms < 0 AND NOT heard) AS gain_left_out_ms
    FROM shapes
),
loss AS (
    SELECT
        'loss' AS list, *, $rows AS most,
        row_number() OVER (ORDER BY lost_ms DESC, phase, op, shape) AS place
    FROM shapes WHERE lost_ms > 0 AND heard
),
gain AS (
    SELECT
        'gain' AS list, *, 5 AS most,
        row_number() OVER (ORDER BY lost_ms, phase, op, shape) AS place
    FROM shapes WHERE lost_ms < 0 AND heard
),
only_base AS (
    SELECT
        'base' AS list, *, 10 AS most,
        row_number() OVER (ORDER BY base_total_ms DESC, phase, op, shape) AS place
    FROM shapes WHERE cand_launches IS NULL
),
only_cand AS (
    SELECT
        'cand' AS list, *, 10 AS most,
        row_number() OVER (ORDER BY cand_total_ms DESC, phase, op, shape) AS place
    FROM shapes WHERE base_launches IS NULL
),
tail AS (
    SELECT
        'tail' AS list, *, 5 AS most,
        least(
            row_number() OVER (ORDER BY cand_tail DESC NULLS LAST, phase, op, shape),
            row_number() OVER (ORDER BY p99_change DESC NULLS LAST, phase, op, shape)
        ) AS place
    FROM shapes
    WHERE cand_launches >= $tail_launches
        AND (100 * (cand_tail - 1) >= $tail_percent OR 100 * p99_change >= $tail_percent)
),
lists AS (
    FROM loss UNION ALL FROM gain UNION ALL FROM only_base UNION ALL FROM only_cand
    UNION ALL FROM tail
),
counted AS (
    SELECT
        *, count(*) OVER (PARTITION BY list) AS listed,
        sum(lost_ms) OVER (PARTITION BY list) AS list_lost_ms,
        sum(gained_ms) OVER (PARTITION BY list) AS list_gained_ms,
        CAST(sum(base_launches) OVER (PARTITION BY list) AS BIGINT) AS list_base_launches,
        CAST(sum(cand_launches) OVER (PARTITION BY list) AS BIGINT) AS list_cand_launches,
        sum(base_total_ms) OVER (PARTITION BY list) AS list_base_total_ms,
        sum(cand_total_ms) OVER (PARTITION BY list) AS list_cand_total_ms,
        sum(base_share) OVER (PARTITION BY list) AS list_base_share,
        sum(cand_share) OVER (PARTITION BY list) AS list_cand_share
    FROM lists
),
waiting AS (
    SELECT
        coalesce(stable_name, name) AS kernel,
        bool_or(family IN ('communication', 'fused_communication')) AS waits
    FROM kernel_names
    GROUP BY coalesce(stable_name, name)
)
SELECT c.*, w.waits
FROM (FROM paired UNION ALL BY NAME FROM counted WHERE place <= most) AS c
LEFT JOIN waiting AS w ON w.kernel = coalesce(c.cand_kernel, c.base_kernel)
ORDER BY c.list, c.place, c.cand_tail DESC NULLS LAST, c.phase, c.op, c.shape;

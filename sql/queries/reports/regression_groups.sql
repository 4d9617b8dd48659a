-- Operators at their shape groups, in lists: loss and gain (from $noise_share of the candidate's
-- paired device time on), small (below it), base and cand (on that side only). Shares are of all
-- phases; list_ and paired_ figures sum up the rows of the phases asked for.
WITH every AS MATERIALIZED (
    SELECT
        *, base_total_ms / nullif(sum(base_total_ms) OVER (), 0) AS base_share,
        cand_total_ms / nullif(sum(cand_total_ms) OVER (), 0) AS cand_share
    FROM group_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank
),
weighed AS (
    SELECT
        *, abs(lost_ms) >= $noise_share
            * sum(cand_total_ms) FILTER (WHERE base_launches > 0) OVER () AS heard
    FROM every
    WHERE $phase IS NULL OR phase = $phase
),
listed AS (
    SELECT
        *, CASE
            WHEN base_launches IS NULL THEN 'cand'
            WHEN cand_launches IS NULL THEN 'base'
            WHEN lost_ms = 0 OR NOT heard THEN 'small'
            WHEN lost_ms > 0 THEN 'loss'
            ELSE 'gain'
        END AS list,
        -lost_ms AS gained_ms,
        base_launches >= $tail_launches OR base_launches IS NULL AS base_p99_told,
        cand_launches >= $tail_launches OR cand_launches IS NULL AS cand_p99_told
    FROM weighed
),
waiting AS (
    SELECT
        coalesce(stable_name, name) AS kernel,
        bool_or(family = 'communication') AS communication,
        bool_or(family = 'fused_communication') AS fused
    FROM kernel_names
    GROUP BY coalesce(stable_name, name)
)
SELECT
    l.*, coalesce(w.communication, FALSE) AS communication, coalesce(w.fused, FALSE) AS fused,
    row_number() OVER (
        PARTITION BY list
        ORDER BY
            CASE
                WHEN list IN ('loss', 'gain') THEN abs(lost_ms)
                ELSE greatest(coalesce(base_total_ms, 0), coalesce(cand_total_ms, 0))
            END DESC,
            phase, op, l.kernel, shape, tokens_low
    ) AS place,
    count(*) OVER (PARTITION BY list) AS listed,
    sum(lost_ms) OVER (PARTITION BY list) AS list_lost_ms,
    sum(gained_ms) OVER (PARTITION BY list) AS list_gained_ms,
    CAST(sum(base_launches) OVER (PARTITION BY list) AS BIGINT) AS list_base_launches,
    CAST(sum(cand_launches) OVER (PARTITION BY list) AS BIGINT) AS list_cand_launches,
    sum(base_total_ms) OVER (PARTITION BY list) AS list_base_total_ms,
    sum(cand_total_ms) OVER (PARTITION BY list) AS list_cand_total_ms,
    sum(base_share) OVER (PARTITION BY list) AS list_base_share,
    sum(cand_share) OVER (PARTITION BY list) AS list_cand_share,
    count(*) FILTER (WHERE list IN ('loss', 'gain', 'small')) OVER () AS paired,
    sum(cand_total_ms) FILTER (WHERE base_launches > 0) OVER () AS paired_cand_total_ms,
    sum(base_share) FILTER (WHERE cand_launches > 0) OVER () AS paired_base_share,
    sum(cand_share) FILTER (WHERE base_launches > 0) OVER () AS paired_cand_share,
    coalesce(least(
        sum(base_share) FILTER (WHERE cand_launches > 0) OVER (),
        sum(cand_share) FILTER (WHERE base_launches > 0) OVER ()
    ), 0) < 0.99 * greatest(sum(base_share) OVER (), sum(cand_share) OVER ()) AS shapes_apart,
    sum(lost_ms) OVER () AS paired_lost_ms
FROM listed AS l
LEFT JOIN waiting AS w ON w.kernel = l.kernel
ORDER BY list, place;

-- The step of every rank: period, busy, gap, the loss split, and where the largest part of a loss
-- beyond $floor lies. Waiting is communication that grew beyond what the quickest rank's did.
WITH steps AS (
    SELECT * FROM step_diff_v1
    WHERE base = $base AND cand = $cand AND phase <> 'idle' AND ($phase IS NULL OR phase = $phase)
),
talk AS (
    SELECT
        rank, phase, cand_ms_per_step - base_ms_per_step AS grown_ms,
        min(base_ms_per_step) OVER (PARTITION BY phase) AS base_least_ms,
        min(cand_ms_per_step) OVER (PARTITION BY phase) AS cand_least_ms,
        count(*) OVER (PARTITION BY phase) AS ranks
    FROM family_diff_v1
    WHERE base = $base AND cand = $cand AND family = 'communication'
),
split AS (
    SELECT
        s.*, CASE
            WHEN t.ranks > 1 THEN t.grown_ms - (t.cand_least_ms - t.base_least_ms)
        END AS wait_lost_ms,
        t.ranks > 1 AS wait_told
    FROM steps AS s
    LEFT JOIN talk AS t ON t.rank = s.rank AND t.phase = s.phase
),
parts AS (
    SELECT
        *, kernel_lost_ms - coalesce(wait_lost_ms, 0) AS work_lost_ms,
        coalesce(period_change > $floor, FALSE) AS slower,
        coalesce(period_change < -$floor, FALSE) AS faster,
        CASE WHEN greatest(base_period_ms, cand_period_ms) < 10 THEN 1000 ELSE 1 END AS scale,
        CASE WHEN greatest(base_period_ms, cand_period_ms) < 10 THEN 'µs' ELSE 'ms' END AS unit
    FROM split
)
SELECT
    base_steps, cand_steps, rank, phase, rank = $rank AS compared, slower, faster, period_change,
    wait_told, gap_lost_ms IS NOT NULL AS split_told, unit,
    scale * base_period_ms AS base_period, scale * cand_period_ms AS cand_period,
    scale * base_busy_ms AS base_busy, scale * cand_busy_ms AS cand_busy,
    scale * base_gap_ms AS base_gap, scale * cand_gap_ms AS cand_gap,
    scale * period_lost_ms AS period_lost, scale * work_lost_ms AS work_lost,
    scale * wait_lost_ms AS wait_lost, scale * count_lost_ms AS count_lost,
    scale * gap_lost_ms AS gap_lost,
    CASE
        WHEN NOT slower THEN NULL
        WHEN gap_lost_ms >= greatest(work_lost_ms, count_lost_ms, coalesce(wait_lost_ms, 0))
            THEN 'gaps'
        WHEN coalesce(wait_lost_ms, 0) >= greatest(work_lost_ms, count_lost_ms) THEN 'waiting'
        WHEN count_lost_ms >= work_lost_ms THEN 'counts'
        WHEN work_lost_ms IS NOT NULL THEN 'kernels'
    END AS loss
FROM parts
ORDER BY
    list_position(['prefill', 'prefill_tail', 'mixed', 'decode', 'draft', 'unknown'], phase)
        NULLS LAST,
    rank;

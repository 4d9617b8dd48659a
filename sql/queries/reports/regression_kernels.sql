-- Kernels that only one run has, and their family: where it keeps its launches per step (to 1 %),
-- the new kernels stand in the place of the gone ones.
WITH kinds AS (
    SELECT coalesce(stable_name, name) AS kernel, min(family) AS family
    FROM kernel_names
    GROUP BY coalesce(stable_name, name)
),
one_sided AS (
    SELECT d.*, k.family
    FROM kernel_diff_v1 AS d
    LEFT JOIN kinds AS k ON k.kernel = d.kernel
    WHERE d.base = $base AND d.cand = $cand AND d.rank = $rank
        AND ($phase IS NULL OR d.phase = $phase)
        AND (d.base_launches IS NULL OR d.cand_launches IS NULL)
),
families AS (
    SELECT
        phase, family, base_launches_per_step, cand_launches_per_step,
        abs(cand_launches_per_step - base_launches_per_step) <= 0.01 * base_launches_per_step
            AS kept
    FROM family_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank
),
sides AS (
    SELECT
        phase, family,
        list(kernel ORDER BY base_ms_per_step DESC, kernel)
            FILTER (WHERE cand_launches IS NULL) AS gone,
        list(kernel ORDER BY cand_ms_per_step DESC, kernel)
            FILTER (WHERE base_launches IS NULL) AS new,
        CAST(sum(base_launches) AS BIGINT) AS base_launches,
        CAST(sum(cand_launches) AS BIGINT) AS cand_launches,
        sum(base_launches_per_step) AS base_per_step, sum(cand_launches_per_step) AS cand_per_step,
        sum(base_ms_per_step) AS base_ms_per_step, sum(cand_ms_per_step) AS cand_ms_per_step
    FROM one_sided
    GROUP BY phase, family
)
SELECT
    s.*, coalesce(f.kept AND len(s.gone) > 0 AND len(s.new) > 0, FALSE) AS replaced,
    f.base_launches_per_step AS family_base, f.cand_launches_per_step AS family_cand,
    s.cand_ms_per_step / nullif(s.base_ms_per_step, 0) - 1 AS change,
    1000 * (coalesce(s.cand_ms_per_step, 0) - coalesce(s.base_ms_per_step, 0)) AS moved_us
FROM sides AS s
LEFT JOIN families AS f ON f.phase = s.phase AND f.family = s.family
ORDER BY replaced DESC, abs(moved_us) DESC NULLS LAST, s.phase, s.family;

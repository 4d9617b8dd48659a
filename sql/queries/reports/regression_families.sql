-- The step by family at equal tokens: per phase the near token counts that both runs have, most
-- steps first; where they have none in common, all counts per token. What moved most is first.
WITH every AS (
    SELECT
        *, max(CASE WHEN tokens_low IS NOT NULL AND base_steps > 0 AND cand_steps > 0
            THEN 1 ELSE 0 END) OVER (PARTITION BY phase) = 1 AS common
    FROM family_token_diff_v1
    WHERE base = $base AND cand = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
chosen AS (
    SELECT
        *, tokens_low IS NOT NULL AS at_equal,
        1000 * base_ms_per_token AS base_us_per_token,
        1000 * cand_ms_per_token AS cand_us_per_token,
        cand_ms_per_step - base_ms_per_step AS moved_ms,
        abs(CASE WHEN tokens_low IS NULL AND base_tokens > 0 AND cand_tokens > 0
            THEN cand_ms_per_token - base_ms_per_token ELSE cand_ms_per_step - base_ms_per_step
        END) AS moved
    FROM every
    WHERE base_steps > 0 AND cand_steps > 0 AND (tokens_low IS NOT NULL) = common
),
placed AS (
    SELECT
        *, dense_rank() OVER (
            PARTITION BY phase ORDER BY least(base_steps, cand_steps) DESC, tokens_low
        ) AS turn,
        row_number() OVER (
            PARTITION BY phase, tokens_low
            ORDER BY family <> 'all', moved DESC NULLS LAST, family
        ) AS place
    FROM chosen
)
SELECT
    phase, tokens_low, tokens_high, at_equal, turn, place, family, base_steps, cand_steps,
    base_launches_per_step, cand_launches_per_step, base_ms_per_step, cand_ms_per_step,
    moved_ms, ms_per_step_change, base_us_per_token, cand_us_per_token, ms_per_token_change
FROM placed
WHERE turn <= 3 AND place <= 9
ORDER BY
    list_position(['prefill', 'prefill_tail', 'mixed', 'decode', 'draft', 'unknown'], phase)
        NULLS LAST,
    turn, place;

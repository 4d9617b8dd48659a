-- Device time and step period by phase on both sides. Devices are paired in their order, since the
-- same rank may have run on another device of its host.
WITH base AS (
    SELECT
        *, row_number() OVER (PARTITION BY phase ORDER BY device NULLS LAST) AS place,
        sum(share) OVER (PARTITION BY phase) AS mix
    FROM phase_time_v1
    WHERE label = $base AND rank = $rank AND ($phase IS NULL OR phase = $phase)
),
cand AS (
    SELECT
        *, row_number() OVER (PARTITION BY phase ORDER BY device NULLS LAST) AS place,
        sum(share) OVER (PARTITION BY phase) AS mix
    FROM phase_time_v1
    WHERE label = $cand AND rank = $rank AND ($phase IS NULL OR phase = $phase)
)
SELECT
    coalesce(b.phase, c.phase) AS phase, coalesce(b.place, c.place) AS place,
    b.device AS base_device, c.device AS cand_device,
    b.steps AS base_steps, c.steps AS cand_steps, b.gpu_ms AS base_gpu_ms, c.gpu_ms AS cand_gpu_ms,
    b.share AS base_share, c.share AS cand_share,
    b.ms_per_step AS base_ms_per_step, c.ms_per_step AS cand_ms_per_step,
    c.ms_per_step / nullif(b.ms_per_step, 0) - 1 AS ms_per_step_change,
    b.ms_per_token AS base_ms_per_token, c.ms_per_token AS cand_ms_per_token,
    c.ms_per_token / nullif(b.ms_per_token, 0) - 1 AS ms_per_token_change,
    b.period_ms AS base_period_ms, c.period_ms AS cand_period_ms,
    c.period_ms / nullif(b.period_ms, 0) - 1 AS period_change,
    -- Of all devices of the phase; alike up to five hundredths of the device time.
    b.mix AS base_mix, c.mix AS cand_mix,
    CASE
        WHEN max(abs(coalesce(c.mix, 0) - coalesce(b.mix, 0))) OVER () > 0.05 THEN 'differs'
        ELSE 'same'
    END AS mix_state
FROM base AS b
FULL JOIN cand AS c ON c.phase = b.phase AND c.place = b.place
ORDER BY
    list_position([
        'prefill', 'prefill_tail', 'mixed', 'decode', 'draft', 'idle', 'unknown', 'outside'
    ], coalesce(b.phase, c.phase)),
    place;

-- One row per phase and tokens per step, one per phase where it has more than 8 token counts; work
-- of no step has no steps. Sums are over decimals, which are exact to the nanosecond.
WITH steps AS (
    SELECT
        context_id, phase, source, bool_and(complete) AS complete,
        CASE WHEN phase <> 'decode' THEN max(context_tokens) END AS prompt,
        CASE WHEN phase NOT IN ('prefill', 'prefill_tail') THEN max(generation_tokens) END
            AS generated,
        sum(CAST(gpu_ms AS DECIMAL(18, 6))) AS gpu_ms
    FROM context_time_v1
    WHERE label = $label AND rank = $rank
    GROUP BY context_id, phase, source
),
many AS (
    SELECT phase, count(*) > 8 AS many
    FROM (SELECT DISTINCT phase, prompt, generated FROM steps)
    GROUP BY phase
),
stepped AS (
    SELECT
        s.phase, min(s.prompt) AS prompt_min, max(s.prompt) AS prompt_max,
        min(s.generated) AS generated_min, max(s.generated) AS generated_max,
        string_agg(DISTINCT s.source, ', ' ORDER BY s.source) AS source,
        count(*) FILTER (WHERE s.complete) AS steps,
        count(*) FILTER (WHERE NOT s.complete) AS steps_cut,
        sum(s.prompt) FILTER (WHERE s.complete) AS prompt_tokens,
        sum(s.generated) FILTER (WHERE s.complete) AS generated_tokens,
        sum(s.gpu_ms) AS gpu_ms,
        sum(s.gpu_ms) FILTER (WHERE s.complete) AS complete_ms
    FROM steps AS s
    JOIN many AS m ON m.phase = s.phase
    GROUP BY
        s.phase, CASE WHEN NOT m.many THEN s.prompt END,
        CASE WHEN NOT m.many THEN s.generated END
),
phases AS (
    SELECT phase, sum(CAST(gpu_ms AS DECIMAL(18, 6))) AS gpu_ms
    FROM phase_time_v1
    WHERE label = $label AND rank = $rank
    GROUP BY phase
),
rest AS (
    SELECT p.phase, p.gpu_ms - coalesce(sum(s.gpu_ms), 0) AS gpu_ms
    FROM phases AS p
    LEFT JOIN stepped AS s ON s.phase = p.phase
    GROUP BY p.phase, p.gpu_ms
),
parts AS (
    FROM stepped
    UNION ALL BY NAME
    SELECT phase, gpu_ms FROM rest WHERE gpu_ms > 0
    UNION ALL BY NAME
    SELECT
        'all' AS phase, sum(steps) AS steps, sum(steps_cut) AS steps_cut,
        (SELECT sum(gpu_ms) FROM phases) AS gpu_ms
    FROM stepped
)
SELECT
    phase, source, prompt_min, prompt_max, generated_min, generated_max, steps, steps_cut,
    prompt_tokens, generated_tokens, gpu_ms,
    gpu_ms / nullif((SELECT sum(gpu_ms) FROM phases), 0) AS share,
    complete_ms / nullif(steps, 0) AS ms_per_step
FROM parts
ORDER BY
    list_position([
        'prefill', 'prefill_tail', 'mixed', 'decode', 'draft', 'idle', 'unknown', 'outside'
    ], phase) NULLS LAST,
    steps IS NULL, prompt_max DESC, generated_max;

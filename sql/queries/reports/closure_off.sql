-- Steps that do not close, the first 20 of each phase, with how many there are. What is off by the
-- same number in every complete step stands in the ledger; a step is then compared with the others.
WITH constant AS (
    SELECT phase, family, implementation, CAST(commonest_per_step AS BIGINT) AS usual
    FROM closure_v1
    WHERE label = $run AND rank = $rank AND model = $model
        AND finding IN ('less in every step', 'more in every step')
),
off AS (
    SELECT
        s.phase, s.context_id, s.step_index, s.complete, s.implementation, s.launches,
        coalesce(c.usual, s.expected) AS expected,
        s.launches - coalesce(c.usual, s.expected) AS residual
    FROM closure_steps_v1 AS s
    LEFT JOIN constant AS c
        ON c.phase = s.phase AND c.family = s.family AND c.implementation = s.implementation
    WHERE s.label = $run AND s.rank = $rank AND s.model = $model
        AND ($phase IS NULL OR s.phase = $phase)
        AND s.launches <> coalesce(c.usual, s.expected)
),
steps AS (
    SELECT
        phase, context_id, any_value(step_index) AS step_index, bool_and(complete) AS complete,
        string_agg(
            implementation || ' ' || CAST(launches AS VARCHAR) || ' of '
                || CAST(expected AS VARCHAR),
            ', ' ORDER BY abs(residual) DESC, implementation
        ) AS counts,
        CAST(sum(residual) AS BIGINT) AS residual
    FROM off
    GROUP BY phase, context_id
),
placed AS (
    SELECT
        *, row_number() OVER (PARTITION BY phase ORDER BY complete DESC, context_id) AS place,
        count(*) OVER (PARTITION BY phase) AS steps
    FROM steps
)
SELECT phase, step_index, complete, counts, residual, place, steps
FROM placed
WHERE place <= 20
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], phase),
    place;

-- Steps that do not close, the first 20 of each phase, with how many there are. What is off by the
-- same number in every complete step stands in the ledger, and a list of all steps says no more.
WITH constant AS (
    SELECT phase, family, implementation
    FROM closure_v1
    WHERE label = $run AND rank = $rank AND model = $model
        AND finding IN ('less in every step', 'more in every step')
),
off AS (
    SELECT s.*
    FROM closure_steps_v1 AS s
    LEFT JOIN constant AS c
        ON c.phase = s.phase AND c.family = s.family AND c.implementation = s.implementation
    WHERE s.label = $run AND s.rank = $rank AND s.model = $model
        AND ($phase IS NULL OR s.phase = $phase)
        AND NOT (s.complete AND c.phase IS NOT NULL)
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

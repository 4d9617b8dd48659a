-- How the counts can be read, the first six readings of each phase and kind: of linears always, of
-- other kinds where they do not close or may be read in more than one way.
WITH readings AS (
    SELECT
        phase, kind, place, closes, assignments, reading, evidence,
        count(*) OVER (PARTITION BY phase, kind) AS readings,
        sum(assignments) OVER (PARTITION BY phase, kind) AS all_assignments,
        bool_and(closes) OVER (PARTITION BY phase, kind) AS all_close
    FROM closure_readings_v1
    WHERE label = $run AND rank = $rank AND model = $model AND ($phase IS NULL OR phase = $phase)
),
-- Modules that run equally often are one and the same to a count.
modules AS (
    SELECT
        phase, kind, count, string_agg(module, ', ' ORDER BY position) AS modules,
        min(position) AS position
    FROM closure_map_v1
    WHERE label = $run AND rank = $rank AND model = $model
    GROUP BY phase, kind, count
    HAVING count(*) > 1
),
alike AS (
    SELECT phase, kind, string_agg(modules, '; ' ORDER BY count DESC, position) AS alike
    FROM modules
    GROUP BY phase, kind
)
SELECT r.*, a.alike
FROM readings AS r
LEFT JOIN alike AS a ON a.phase = r.phase AND a.kind = r.kind
WHERE r.place <= 6 AND (r.kind = 'linear' OR NOT r.all_close OR r.all_assignments > 1)
ORDER BY
    list_position(['decode', 'prefill', 'prefill_tail', 'mixed', 'draft', 'unknown'], r.phase),
    list_position(['linear', 'experts', 'attention', 'linear_attention'], r.kind), r.place;

-- A collective has a row of its own; the AICPU and AIV kernels that carry it out run inside it, and
-- their time would be counted twice.
UPDATE stage.work AS w SET part_of_collective = true
WHERE regexp_matches(coalesce(w.op_type, '') || ' ' || w.name, '(?i)(aicpu|aiv)kernel')
    AND coalesce(w.core, '') <> 'COMMUNICATION'
    AND EXISTS (
        SELECT 1 FROM stage.work AS c
        WHERE c.core = 'COMMUNICATION' AND c.device IS NOT DISTINCT FROM w.device
            AND c.start_ns < w.start_ns + w.dur_ns AND w.start_ns < c.start_ns + c.dur_ns
    );

-- Tasks that are kernels have a name, or at least the core that ran them; the others are counted by
-- their kind. Cores have the names that kernel tables give them.
INSERT INTO stage.pauses
SELECT device, stream, core, start_ns, dur_ns, false
FROM stage.work
WHERE name = '' AND core IN ('MEM_WAIT_VALUE', 'CAPTURE_WAIT') AND start_ns IS NOT NULL AND dur_ns >= 0;
INSERT INTO stage.other_tasks
SELECT file_no, coalesce(core, 'unnamed'),
    coalesce(core IN ('MEM_WAIT_VALUE', 'CAPTURE_WAIT') AND start_ns IS NOT NULL AND dur_ns >= 0,
        false),
    count(*)
FROM stage.work
WHERE name = '' AND NOT regexp_matches(coalesce(core, ''), '^(KERNEL|AI|MIX)_')
GROUP BY ALL;
DELETE FROM stage.work
WHERE name = '' AND NOT regexp_matches(coalesce(core, ''), '^(KERNEL|AI|MIX)_');
UPDATE stage.work SET core = CASE core
    WHEN 'KERNEL_AICORE' THEN 'AI_CORE' WHEN 'KERNEL_AIVEC' THEN 'AI_VECTOR_CORE'
    WHEN 'KERNEL_AICPU' THEN 'AI_CPU' ELSE core END;

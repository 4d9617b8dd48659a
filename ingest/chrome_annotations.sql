SELECT role, name, pid, tid, ts, dur
FROM stage.raw
WHERE role IN ('annotation', 'op') AND ph = 'X' AND ts IS NOT NULL
    AND regexp_matches(name, $pattern)
ORDER BY ts, dur DESC;

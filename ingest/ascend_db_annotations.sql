-- Ranges on the host whose text may name a step: scopes of PyTorch and marks of the user.
SELECT t.value, CAST(a.globalTid >> 32 AS VARCHAR) AS process,
    CAST(a.globalTid & 4294967295 AS VARCHAR) AS thread, a.start_ns, a.end_ns
FROM (
    SELECT name, globalTid, startNs AS start_ns, endNs AS end_ns FROM stage.PYTORCH_API
    WHERE coalesce(type, 50001) IN (50001, 50004)
    UNION ALL
    SELECT message, globalTid, startNs, endNs FROM stage.MSTX_EVENTS
    WHERE coalesce(eventType, 1) IN (1, 2)
) AS a
JOIN (SELECT id, value FROM stage.texts WHERE regexp_matches(value, $pattern)) AS t ON t.id = a.name
WHERE a.start_ns IS NOT NULL
ORDER BY a.start_ns, a.end_ns DESC;

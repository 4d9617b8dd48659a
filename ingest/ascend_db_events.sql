-- What the host did, with the table as its category.
CREATE OR REPLACE VIEW stage.events AS
SELECT e.category, e.ph, coalesce(t.value, e.name_text) AS name,
    CAST(e.globalTid >> 32 AS VARCHAR) AS process,
    CAST(e.globalTid & 4294967295 AS VARCHAR) AS thread,
    e.startNs AS start_ns, e.endNs - e.startNs AS dur_ns, e.correlation, e.external_id,
    CAST(NULL AS VARCHAR) AS flow_id, e.args
FROM (
    SELECT 'PYTORCH_API' AS category, 'X' AS ph, a.name, NULL AS name_text, a.globalTid, a.startNs,
        a.endNs, NULL AS correlation, a.connectionId AS external_id,
        CASE WHEN coalesce(a.sequenceNumber, a.inputShapes, a.callchainId) IS NULL
            THEN '{"type":"' || k.name || '"}'
        ELSE to_json({
            type: k.name, sequenceNumber: a.sequenceNumber, fwdThreadId: a.fwdThreadId,
            inputDtypes: types.value, inputShapes: shapes.value, callchainId: a.callchainId
        }) END AS args
    FROM stage.PYTORCH_API AS a
    CROSS JOIN stage.asked
    LEFT JOIN stage.api_types AS k ON k.id = a.type
    LEFT JOIN stage.texts AS types ON types.id = a.inputDtypes
    LEFT JOIN stage.texts AS shapes ON shapes.id = a.inputShapes
    WHERE asked.python OR coalesce(a.type, 50001) <> 50003
    UNION ALL
    SELECT 'CANN_API', 'X', c.name, NULL, c.globalTid, c.startNs, c.endNs, c.connectionId, NULL,
        '{"type":"' || k.name || '"}'
    FROM stage.CANN_API AS c LEFT JOIN stage.api_types AS k ON k.id = c.type
    UNION ALL
    SELECT 'MSTX_EVENTS', CASE WHEN m.eventType IN (0, 3) THEN 'i' ELSE 'X' END, m.message, NULL,
        m.globalTid, m.startNs, m.endNs, nullif(m.connectionId, 4294967295), NULL,
        to_json({eventType: m.eventType, rangeId: m.rangeId, domain: area.value})
    FROM stage.MSTX_EVENTS AS m LEFT JOIN stage.texts AS area ON area.id = m.domainId
    UNION ALL
    SELECT 'STEP_TIME', 'X', NULL, 'ProfilerStep#' || s.id, NULL, s.startNs, s.endNs, NULL, NULL,
        NULL
    FROM stage.STEP_TIME AS s
) AS e
LEFT JOIN stage.texts AS t ON t.id = e.name;

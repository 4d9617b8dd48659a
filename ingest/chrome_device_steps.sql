-- Steps known by the device alone: work belongs to the step in whose span on the same stream it
-- starts, else to one of another stream of the device.
CREATE TEMP TABLE held AS
SELECT w.rowid AS work_row, w.correlation,
    coalesce(
        CASE WHEN w.start_ns < s.end_ns + zero.ns THEN s.context_no END,
        CASE WHEN w.start_ns < d.end_ns + zero.ns THEN d.context_no END
    ) AS context_no
FROM (SELECT work.rowid, * FROM stage.work) AS w
CROSS JOIN stage.zero
ASOF LEFT JOIN stage.stream_steps AS s
    ON s.device = w.device AND s.stream = w.stream AND s.start_ns <= w.start_ns - zero.ns
ASOF LEFT JOIN stage.device_steps AS d
    ON d.device = w.device AND d.start_ns <= w.start_ns - zero.ns;
UPDATE stage.work SET context_no = h.context_no, attribution = 'device annotation'
FROM held AS h WHERE h.work_row = work.rowid AND h.context_no IS NOT NULL;
UPDATE stage.calls SET process_step = h.context_no
FROM (SELECT correlation, min(context_no) AS context_no FROM held GROUP BY correlation) AS h
WHERE h.correlation = calls.correlation;

-- A span goes from the first to the last launch that was recorded, so that it does not show where
-- the window cut it: a step with no work before it or none after it may be cut.
UPDATE stage.contexts SET complete = false
WHERE start_ns <= (SELECT min(start_ns) + 1 FROM stage.work)
    OR end_ns >= (SELECT max(start_ns + dur_ns) FROM stage.work);
DROP TABLE held;

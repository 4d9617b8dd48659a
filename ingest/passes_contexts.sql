-- Passes are numbered by their place in time, over all devices. How many requests a pass served is
-- not told by kernels, nor how the tokens of a mixed pass are shared.
CREATE TABLE stage.pass_of AS
SELECT r.row_no, i.device, i.first_place, r.start_ns, r.start_ns + r.dur_ns AS end_ns
FROM stage.pass_rows AS r
ASOF JOIN stage.inferred AS i ON i.device = r.device AND r.place >= i.first_place
WHERE r.place <= i.last_place;
CREATE TABLE stage.inferred_contexts AS
SELECT row_number() OVER (ORDER BY p.start_ns, i.device) - 1 AS context_no, i.*, p.start_ns, p.end_ns
FROM stage.inferred AS i
JOIN (
    SELECT device, first_place, min(start_ns) AS start_ns, max(end_ns) AS end_ns
    FROM stage.pass_of GROUP BY device, first_place
) AS p ON p.device = i.device AND p.first_place = i.first_place;
INSERT INTO stage.contexts BY NAME
SELECT context_no, context_no AS step_index,
    CASE phase WHEN 'idle' THEN 'dummy batch' WHEN 'unknown' THEN 'pass' ELSE phase END
        || ' of ' || tokens || CASE WHEN tokens = 1 THEN ' token' ELSE ' tokens' END
        || ' (inferred)' AS name,
    phase, 'inferred' AS source, complete,
    CASE WHEN phase = 'prefill' THEN tokens END AS context_tokens,
    CASE WHEN phase IN ('decode', 'draft') THEN tokens END AS generation_tokens,
    start_ns, end_ns
FROM stage.inferred_contexts;
UPDATE stage.work SET context_no = p.context_no, attribution = 'inferred'
FROM (
    SELECT o.row_no, c.context_no
    FROM stage.pass_of AS o
    JOIN stage.inferred_contexts AS c ON c.device = o.device AND c.first_place = o.first_place
) AS p
WHERE work.rowid = p.row_no;

-- Rows that cannot be stored are set aside with their reason: those that the reader refused, and
-- those without a time or a duration.
INSERT INTO stage.bad_rows
SELECT min(CASE error_type
    WHEN 'MISSING COLUMNS' THEN 'fewer fields than the header'
    WHEN 'TOO MANY COLUMNS' THEN 'more fields than the header'
    ELSE lower(CAST(error_type AS VARCHAR)) END), line
FROM reject_errors GROUP BY line;
INSERT INTO stage.bad_rows
SELECT CASE WHEN start_ns IS NULL THEN 'start time is no decimal number'
    WHEN dur_ns IS NULL THEN 'duration is no decimal number'
    ELSE 'negative duration' END, NULL
FROM stage.work WHERE start_ns IS NULL OR dur_ns IS NULL OR dur_ns < 0;
DELETE FROM stage.work WHERE start_ns IS NULL OR dur_ns IS NULL OR dur_ns < 0;

INSERT INTO stage.ledger
SELECT 1, 'kernel rows', w.n + b.n, w.n, b.n, b.reason
FROM (SELECT count(*) AS n FROM stage.work) AS w
CROSS JOIN (
    SELECT count(*) AS n, string_agg(DISTINCT reason, '; ' ORDER BY reason) AS reason
    FROM stage.bad_rows
) AS b;
INSERT INTO stage.trust
SELECT 'limited', 'rows of the table set aside', count(*) FROM stage.bad_rows HAVING count(*) > 0;

-- Steps of the profiler, where the file numbers them: of tokens it says nothing.
CREATE TABLE stage.steps AS
SELECT step_id, row_number() OVER (ORDER BY start_ns) - 1 AS context_no, start_ns, end_ns
FROM (
    SELECT context_no AS step_id, min(start_ns) AS start_ns, max(start_ns + dur_ns) AS end_ns
    FROM stage.work WHERE context_no IS NOT NULL GROUP BY context_no
);
INSERT INTO stage.contexts BY NAME
SELECT context_no, step_id AS step_index, 'Step Id ' || step_id AS name, 'unknown' AS phase,
    'step id' AS source, true AS complete, start_ns, end_ns
FROM stage.steps;
UPDATE stage.work SET context_no = s.context_no
FROM stage.steps AS s WHERE s.step_id = work.context_no;

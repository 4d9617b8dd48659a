-- Rows without a time or a duration cannot be stored; the reader's own rejects are there already.
INSERT INTO stage.bad_rows
SELECT file_no, CASE WHEN start_ns IS NULL AND start_lost IS NOT TRUE THEN 'start time is no decimal number'
    WHEN dur_ns IS NULL THEN 'duration is no decimal number'
    ELSE 'negative duration' END, NULL
FROM stage.work
WHERE (start_ns IS NULL AND start_lost IS NOT TRUE) OR dur_ns IS NULL OR dur_ns < 0;
DELETE FROM stage.work
WHERE (start_ns IS NULL AND start_lost IS NOT TRUE) OR dur_ns IS NULL OR dur_ns < 0;

CREATE TABLE stage.bad_reasons AS
SELECT file_no, CAST(sum(n) AS BIGINT) AS n,
    string_agg(reason, '; ' ORDER BY place) FILTER (WHERE place <= 5)
    || CASE WHEN count(*) > 5 THEN '; and ' || count(*) - 5 || ' more' ELSE '' END AS reason
FROM (
    SELECT file_no, reason, count(*) AS n,
        row_number() OVER (PARTITION BY file_no ORDER BY min(line), reason) AS place
    FROM stage.bad_rows GROUP BY file_no, reason
)
GROUP BY file_no;
INSERT INTO stage.ledger
SELECT f.file_no, 'kernel rows', coalesce(w.n, 0) + coalesce(b.n, 0) + coalesce(o.n, 0),
    coalesce(w.n, 0) + coalesce(o.pauses, 0),
    coalesce(b.n, 0) + coalesce(o.n - o.pauses, 0),
    nullif(concat_ws('; ', CASE WHEN w.lost > 0 THEN
        'scientific notation: precision lost, start NULL (' || w.lost || ')' END,
        'device tasks that are no kernels: ' || o.kinds, n.notes, b.reason), '')
FROM (
    SELECT file_no FROM stage.work
    UNION
    SELECT file_no FROM stage.bad_reasons
    UNION
    SELECT file_no FROM stage.other_tasks
) AS f
LEFT JOIN (
    SELECT file_no, count(*) AS n, count(*) FILTER (WHERE start_lost) AS lost
    FROM stage.work GROUP BY file_no
) AS w ON w.file_no = f.file_no
LEFT JOIN stage.bad_reasons AS b ON b.file_no = f.file_no
LEFT JOIN (
    SELECT file_no, CAST(sum(tasks) AS BIGINT) AS n,
        CAST(sum(CASE WHEN is_pause THEN tasks ELSE 0 END) AS BIGINT) AS pauses,
        string_agg(kind || ' ' || tasks, ', ' ORDER BY tasks DESC, kind)
            FILTER (WHERE NOT is_pause) AS kinds
    FROM stage.other_tasks GROUP BY file_no
) AS o ON o.file_no = f.file_no
LEFT JOIN (
    SELECT file_no, string_agg(note || ' (' || lines || ')', '; ' ORDER BY note) AS notes
    FROM stage.file_notes GROUP BY file_no
) AS n ON n.file_no = f.file_no
ORDER BY 1;
INSERT INTO stage.trust
SELECT 'limited', 'rows of the table set aside', count(*) FROM stage.bad_rows HAVING count(*) > 0;
INSERT INTO stage.trust
SELECT 'limited', 'start times in scientific notation: precision lost', count(*)
FROM stage.work WHERE start_lost HAVING count(*) > 0;

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

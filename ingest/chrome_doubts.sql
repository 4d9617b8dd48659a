-- Graph replays: every launch call is kept, whether or not work of it was recorded, and all that
-- should be alike are compared.
INSERT INTO stage.graph_launches
SELECT c.correlation, coalesce(c.thread_step, c.process_step), c.ts + zero.ns
FROM stage.calls AS c CROSS JOIN stage.zero
WHERE c.name ILIKE '%GraphLaunch%';
CREATE TEMP TABLE replays AS
SELECT g.correlation, c.phase, coalesce(c.padded_requests, c.generation_tokens) AS generated,
    c.context_tokens AS prompt, coalesce(w.launches, 0) AS launches,
    row_number() OVER (PARTITION BY g.context_no ORDER BY g.launch_ns, g.correlation) AS place
FROM stage.graph_launches AS g
LEFT JOIN stage.contexts AS c ON c.context_no = g.context_no
LEFT JOIN (
    SELECT correlation, count(*) AS launches FROM stage.work WHERE graph_replay
    GROUP BY correlation
) AS w ON w.correlation = g.correlation;
INSERT INTO stage.trust
SELECT 'limited',
    none || ' of ' || count || CASE WHEN count = 1 THEN ' graph replay' ELSE ' graph replays' END
        || ' recorded no kernel', NULL
FROM (SELECT count(*) AS count, count(*) FILTER (WHERE launches = 0) AS none FROM replays)
WHERE none > 0;
INSERT INTO stage.trust
SELECT 'limited', 'graph replays of unequal length', unequal
FROM (
    SELECT sum(l.replays) FILTER (WHERE l.nth > 1) AS unequal
    FROM (
        SELECT *,
            row_number() OVER (
                PARTITION BY phase, generated, prompt, place ORDER BY replays DESC, launches DESC
            ) AS nth,
            sum(replays) OVER (PARTITION BY phase, generated, prompt, place) AS comparable
        FROM (
            SELECT phase, generated, prompt, place, launches, count(*) AS replays
            FROM replays WHERE phase IS NOT NULL AND launches > 0
            GROUP BY phase, generated, prompt, place, launches
        )
    ) AS l
    WHERE l.comparable >= 3
)
WHERE unequal > 0;
DROP TABLE replays;

-- Work of one stream runs in order. What begins before all work ahead of it has ended is kept here,
-- and what runs on past the start of three more launches.
CREATE TEMP TABLE crossing AS
SELECT *
FROM (
    SELECT name, device, stream, start_ns, dur_ns, start_ns + dur_ns AS end_ns,
        max(start_ns + dur_ns) OVER (
            one ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS reached_ns,
        lead(start_ns) OVER one AS next_ns,
        lead(start_ns, 3) OVER one AS third_ns
    FROM stage.work
    WHERE stream IS NOT NULL
    WINDOW one AS (PARTITION BY device, stream ORDER BY start_ns, dur_ns)
)
WHERE start_ns < reached_ns OR end_ns > third_ns;
-- Below a microsecond, and for little of the time, launches may overlap that were told to.
INSERT INTO stage.trust
SELECT 'limited', 'overlap on one stream', c.launches
FROM (
    SELECT count(*) FILTER (WHERE start_ns + 1000 < reached_ns) AS launches,
        sum(least(end_ns, reached_ns) - start_ns) FILTER (WHERE start_ns < reached_ns) AS twice
    FROM crossing
) AS c
CROSS JOIN (SELECT sum(dur_ns) AS summed FROM stage.work WHERE stream IS NOT NULL) AS w
WHERE c.launches > 0 AND w.summed > 1.05 * (w.summed - c.twice);
-- A duration is impossible that overruns three launches, the first by over a millisecond, and is a
-- hundred times what its kernel takes. Against the window it would not show: it stretched that.
INSERT INTO stage.trust
SELECT 'poor', 'impossible durations, the worst of ' || worst.name || ' at ' || worst.start_ns
    || ' ns on stream ' || worst.stream || ' of device ' || coalesce(worst.device, -1) || ', '
    || format('{:.3f}', worst.excess / 1000.0) || ' us past the start of the next launch', events
FROM (
    SELECT count(*) AS events, arg_max({
        name: c.name, start_ns: c.start_ns, stream: c.stream, device: c.device,
        excess: c.end_ns - c.next_ns
    }, c.end_ns - c.next_ns) AS worst
    FROM crossing AS c
    JOIN (
        SELECT name, median(dur_ns) AS usual, count(*) AS launches FROM stage.work
        WHERE name IN (
            SELECT name FROM crossing WHERE end_ns > third_ns AND end_ns - next_ns > 1000000
        )
        GROUP BY name
    ) AS n ON n.name = c.name
    WHERE c.end_ns > c.third_ns AND c.end_ns - c.next_ns > 1000000
        AND n.launches >= 3 AND c.dur_ns > 100 * n.usual
)
WHERE events > 0;
DROP TABLE crossing;

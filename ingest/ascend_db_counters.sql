-- Which counters there are, with the titles that kernel tables give them and what makes their
-- values those of a kernel table: times are ns here and us there. Of no other unit is it known that
-- it differs.
CREATE TABLE stage.counters AS
SELECT name, position,
    CASE
        WHEN name IN ('total_time', 'aic_total_time') THEN 'aicore_time(us)'
        WHEN name = 'aiv_total_time' THEN 'aiv_time(us)'
        WHEN ends_with(name, '_time') THEN name || '(us)'
        WHEN contains(name, '_bw') THEN name || '(GB/s)'
        WHEN ends_with(name, '_datas') THEN name || '(KB)'
        ELSE name
    END AS title,
    CASE WHEN ends_with(name, '_time') THEN 1000.0 ELSE 1.0 END AS per_unit
FROM (
    SELECT t.value AS name, row_number() OVER (ORDER BY min(p.row_no)) AS position
    FROM stage.TASK_PMU_INFO AS p
    JOIN stage.texts AS t ON t.id = p.name
    WHERE t.value IS NOT NULL
    GROUP BY t.value
);
CREATE TABLE stage.counter_ids AS
SELECT t.id AS name, c.position, c.per_unit
FROM stage.counters AS c JOIN stage.texts AS t ON t.value = c.name;
CREATE TABLE stage.measured (
    globalTaskId BIGINT, turn BIGINT, timestampNs BIGINT, counters DOUBLE[]
);
-- Ranges of tasks that hold about as many values each, so that none outgrows memory.
SELECT min(globalTaskId), max(globalTaskId)
FROM (
    SELECT globalTaskId, sum(count(*)) OVER (ORDER BY globalTaskId) // $values AS part
    FROM stage.TASK_PMU_INFO WHERE globalTaskId IS NOT NULL GROUP BY globalTaskId
)
GROUP BY part ORDER BY part;

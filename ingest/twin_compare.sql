-- Launches of the staged profile and of a twin as multisets. Cores and shapes count where both tell
-- any: tables of small levels have none.
INSERT INTO stage.twin_checks BY NAME
WITH told AS (
    SELECT bool_and(cores > 0) AS cores, bool_and(shapes > 0) AS shapes
    FROM (
        SELECT count(core) AS cores, count(shape) AS shapes
        FROM twin_launches WHERE side IN (0, $side) GROUP BY side
    )
),
paired AS (
    SELECT count(*) FILTER (WHERE l.side = 0) AS stored, count(*) FILTER (WHERE l.side > 0) AS twin
    FROM twin_launches AS l CROSS JOIN told AS t
    WHERE l.side IN (0, $side)
    GROUP BY l.launch, CASE WHEN t.cores THEN l.core END, CASE WHEN t.shapes THEN l.shape END
)
SELECT
    CAST($path AS VARCHAR) AS path, CAST($format AS VARCHAR) AS format,
    CAST(sum(stored) AS BIGINT) AS launches, CAST(sum(least(stored, twin)) AS BIGINT) AS agree,
    CAST(sum(greatest(stored - twin, 0)) AS BIGINT) AS only_stored,
    CAST(sum(greatest(twin - stored, 0)) AS BIGINT) AS only_twin
FROM paired
RETURNING launches, agree, only_stored, only_twin;

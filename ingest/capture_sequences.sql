-- The names of the launches of every captured graph, each sequence once. A graph of which one name
-- is not told matches nothing.
CREATE TEMP TABLE capture_names AS
SELECT row_number() OVER (ORDER BY name) AS name_no, name
FROM (SELECT DISTINCT name FROM stage.capture_launches WHERE name IS NOT NULL);
CREATE TEMP TABLE capture_sequences AS
SELECT graph_no, marked, names, min(graph_no) OVER (PARTITION BY marked, names) AS sequence_no
FROM (
    SELECT l.graph_no, g.marked, list(n.name_no ORDER BY l.launch_no) AS names
    FROM stage.capture_launches AS l
    JOIN stage.capture_graphs AS g ON g.graph_no = l.graph_no
    LEFT JOIN capture_names AS n ON n.name = l.name
    GROUP BY l.graph_no, g.marked
    HAVING count(*) = count(n.name_no)
);
SELECT sequence_no, names, marked FROM capture_sequences WHERE graph_no = sequence_no;

-- The linears of each pass as one line, the most frequent first; where some run only with prefill
-- or decode tokens, one line for each.
WITH firsts AS (
    SELECT s.pass, s.module, min(s.position) AS position
    FROM model_sequence AS s JOIN models AS m ON m.model_id = s.model_id
    WHERE m.name = $name GROUP BY s.pass, s.module
),
linears AS (
    SELECT c.pass, c.module, c.runs_in, c.count, f.position
    FROM model_counts AS c JOIN firsts AS f ON f.pass = c.pass AND f.module = c.module
    WHERE c.model = $name AND c.kind = 'linear'
),
phases AS (
    SELECT pass, unnest(CASE
        WHEN bool_and(runs_in = 'any') THEN ['any'] ELSE ['prefill', 'decode'] END) AS phase
    FROM linears GROUP BY pass
)
SELECT CASE WHEN p.pass = 'target' THEN '' ELSE p.pass || ': ' END || 'linear '
    || CASE WHEN p.phase = 'any' THEN '' ELSE 'in ' || p.phase || ' ' END
    || CAST(sum(l.count) AS VARCHAR) || ' = '
    || string_agg(l.count || ' ' || l.module, ' + ' ORDER BY l.count DESC, l.position) AS line
FROM phases AS p
JOIN linears AS l ON l.pass = p.pass AND l.runs_in IN ('any', p.phase)
GROUP BY p.pass, p.phase ORDER BY p.pass DESC, p.phase DESC;

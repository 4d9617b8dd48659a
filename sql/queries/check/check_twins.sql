-- How the launches of one run agree with files of the same profiles in another format, together.
SELECT
    count(DISTINCT t.profile_id) AS profiles, CAST(sum(t.launches) AS BIGINT) AS launches,
    CAST(sum(t.agree) AS BIGINT) AS agree,
    CAST(sum(least(t.only_stored, t.only_twin)) AS BIGINT) AS differing,
    CAST(sum(greatest(t.only_stored - t.only_twin, 0)) AS BIGINT) AS lacking,
    CAST(sum(greatest(t.only_twin - t.only_stored, 0)) AS BIGINT) AS extra
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN twin_checks AS t ON t.profile_id = p.profile_id
WHERE r.label = $label AND ($rank IS NULL OR p.rank = $rank)
HAVING count(*) > 0;

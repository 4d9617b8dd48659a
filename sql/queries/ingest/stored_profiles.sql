-- Every stored profile with what tells it apart from a new one: the files of its digest.
SELECT r.label, p.profile_id, p.digest,
    sum(f.size_bytes) FILTER (WHERE f.beside IS NOT TRUE) AS size_bytes
FROM profiles AS p
JOIN runs AS r ON r.run_id = p.run_id
JOIN files AS f ON f.profile_id = p.profile_id
GROUP BY r.label, p.profile_id, p.digest;

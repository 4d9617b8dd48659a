-- What was stored of one profile, for the closing summary.
SELECT s.* FROM run_summary AS s JOIN profiles AS p ON p.profile_id = s.profile_id
WHERE p.digest = $digest;

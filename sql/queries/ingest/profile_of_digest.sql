-- Whether a profile of this content is stored.
SELECT profile_id FROM profiles WHERE digest = $digest;

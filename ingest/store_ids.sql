-- The profile's own rows and every text it brings, inside the caller's transaction. Numbers go on
-- from the largest in the warehouse, which one writer at a time may do.

CREATE OR REPLACE TEMP TABLE ids AS
SELECT
    (SELECT coalesce(max(profile_id), 0) + 1 FROM profiles) AS profile_id,
    (SELECT coalesce(max(file_id), 0) + 1 FROM files) AS first_file,
    (SELECT coalesce(max(context_id), 0) + 1 FROM contexts) AS first_context;

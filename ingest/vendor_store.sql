-- What the vendor computed or listed, and how twins compare, goes to its tables, inside the caller's transaction.

INSERT INTO vendor_operators BY NAME
SELECT i.profile_id, v.* EXCLUDE (profile_id)
FROM stage.vendor_operators AS v CROSS JOIN ids AS i;

INSERT INTO vendor_steps BY NAME
SELECT i.profile_id, v.* EXCLUDE (profile_id)
FROM stage.vendor_steps AS v CROSS JOIN ids AS i;

INSERT INTO vendor_calls BY NAME
SELECT i.profile_id, v.* EXCLUDE (profile_id)
FROM stage.vendor_calls AS v CROSS JOIN ids AS i;

INSERT INTO vendor_collectives BY NAME
SELECT i.profile_id, v.* EXCLUDE (profile_id)
FROM stage.vendor_collectives AS v CROSS JOIN ids AS i;

INSERT INTO vendor_rows BY NAME
SELECT i.profile_id, i.first_file + v.file_id - 1 AS file_id, v.* EXCLUDE (profile_id, file_id)
FROM stage.vendor_rows AS v CROSS JOIN ids AS i;

INSERT INTO twin_checks BY NAME
SELECT i.profile_id, t.* EXCLUDE (profile_id)
FROM stage.twin_checks AS t CROSS JOIN ids AS i;

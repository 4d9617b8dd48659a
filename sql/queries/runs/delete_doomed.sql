-- Names, shapes and categories stay: other runs refer to them.
DELETE FROM kernels WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM events WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM tracks WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM contexts WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM graph_launches WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM unread_steps WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM vendor_operators WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM vendor_steps WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM vendor_calls WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM vendor_collectives WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM vendor_rows WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM twin_checks WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM ledger WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM trust_reasons WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM files WHERE profile_id IN (SELECT profile_id FROM doomed);
DELETE FROM profiles WHERE profile_id IN (SELECT profile_id FROM doomed);
DROP TABLE doomed;

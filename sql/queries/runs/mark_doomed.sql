-- The profiles of a run that is about to go.
CREATE OR REPLACE TEMP TABLE doomed AS
SELECT p.profile_id, p.run_id FROM profiles AS p JOIN runs AS r ON r.run_id = p.run_id
WHERE r.label = $label;

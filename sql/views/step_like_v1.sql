-- Annotations that look like steps and are not understood: their work is given to no step.
CREATE OR REPLACE VIEW step_like_v1 AS
SELECT r.label, p.rank, p.profile_id, u.name, u.spans
FROM runs AS r
JOIN profiles AS p ON p.run_id = r.run_id
JOIN unread_steps AS u ON u.profile_id = p.profile_id;

COMMENT ON VIEW step_like_v1 IS
    'One row per profile and annotation that looks like a step and is not understood.';
COMMENT ON COLUMN step_like_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN step_like_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN step_like_v1.profile_id IS 'The profile of table profiles that recorded it.';
COMMENT ON COLUMN step_like_v1.name IS
    'Text of the annotation; the 100 most frequent of a profile are kept.';
COMMENT ON COLUMN step_like_v1.spans IS 'How often it was recorded.';

-- Token counts that a user pools by hand: none, unless the table or view of this name that a
-- connection made for itself (CREATE TEMP TABLE) stands before this one.
CREATE OR REPLACE VIEW _token_ranges_v1 AS
SELECT CAST(NULL AS BIGINT) AS tokens_low, CAST(NULL AS BIGINT) AS tokens_high
WHERE FALSE;

COMMENT ON VIEW _token_ranges_v1 IS
    'One row per range of token counts that is one shape group whatever the rule says; none here.';
COMMENT ON COLUMN _token_ranges_v1.tokens_low IS 'Fewest tokens of the range.';
COMMENT ON COLUMN _token_ranges_v1.tokens_high IS
    'Most tokens of the range; ranges do not overlap.';

-- Ranges of token counts pooled by hand, for this connection only: the views of shape groups read
-- them in the place of none.
CREATE OR REPLACE TEMP TABLE _token_ranges_v1 AS
SELECT
    CAST(unnest($tokens_from) AS BIGINT) AS tokens_low,
    CAST(unnest($tokens_to) AS BIGINT) AS tokens_high;

-- What speculation scheduled in complete steps, and launches outside any step that look like
-- forward passes.
WITH speculated AS (
    SELECT
        CAST(sum(generation_tokens) AS BIGINT) AS speculative_tokens,
        CAST(sum(generation_requests) AS BIGINT) AS speculative_requests
    FROM (
        SELECT
            context_id, max(generation_tokens) AS generation_tokens,
            max(generation_requests) AS generation_requests
        FROM context_time_v1
        WHERE label = $run AND rank = $rank AND complete AND phase IN ('decode', 'mixed')
            AND generation_tokens > generation_requests AND ($phase IS NULL OR phase = $phase)
        GROUP BY context_id
    )
),
unannotated AS (
    SELECT
        count(*) AS unannotated,
        CAST(sum(CAST(gpu_ms AS DECIMAL(18, 6))) AS DOUBLE) AS unannotated_ms
    FROM unannotated_v1
    WHERE label = $run AND rank = $rank AND coalesce($phase, 'outside') = 'outside'
)
SELECT s.speculative_tokens, s.speculative_requests, u.unannotated, u.unannotated_ms
FROM speculated AS s CROSS JOIN unannotated AS u;

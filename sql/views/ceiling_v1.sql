-- The most that an endpoint can gain where a bucket of kernels goes away: the time in which nothing
-- else ran on any device of the profile. Work beside it hides the rest.
CREATE OR REPLACE VIEW ceiling_v1 AS
WITH firsts AS (
    SELECT label, rank, profile_id, context_id, min(start_ns) AS at_ns
    FROM _context_cells_v1
    WHERE launches > 0 AND phase <> 'draft'
    GROUP BY label, rank, profile_id, context_id
),
edges AS (
    SELECT
        label, rank, profile_id, start_ns AS at_ns, 1 AS step, bucket, 0 AS first_ns, 0 AS paused
    FROM _buckets_v1
    UNION ALL
    SELECT label, rank, profile_id, start_ns + dur_ns, -1, bucket, 0, 0
    FROM _buckets_v1
    UNION ALL
    SELECT label, rank, profile_id, at_ns, 0, 0, at_ns, 0
    FROM firsts
    UNION ALL
    -- Of a time that was not recorded nobody knows that nothing ran.
    SELECT label, rank, profile_id, start_ns, 0, 0, 0, 1
    FROM _pauses_v1
    UNION ALL
    SELECT label, rank, profile_id, start_ns + dur_ns, 0, 0, 0, -1
    FROM _pauses_v1
),
-- Between two edges: how many launches run, the sum of their bucket numbers and that of the
-- squares, and when the step began that the time belongs to. All are of one bucket just where
-- running * squares = numbers * numbers.
slices AS (
    SELECT
        label, rank, profile_id,
        lead(at_ns) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
        ) - at_ns AS dur_ns,
        CAST(sum(step) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS running,
        CAST(sum(step * bucket) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS numbers,
        CAST(sum(step * bucket * bucket) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS squares,
        max(first_ns) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS first_ns,
        CAST(sum(paused) OVER (
            PARTITION BY label, rank, profile_id ORDER BY at_ns, bucket, step
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS paused
    FROM edges
),
idle AS (
    SELECT label, rank, profile_id, first_ns, CAST(sum(dur_ns) AS BIGINT) AS idle_ns
    FROM slices
    WHERE running = 0 AND paused = 0 AND dur_ns > 0
    GROUP BY label, rank, profile_id, first_ns
),
alone AS (
    SELECT
        label, rank, CAST(numbers / nullif(running, 0) AS BIGINT) AS bucket,
        CAST(sum(dur_ns) AS BIGINT) AS alone_ns
    FROM slices
    WHERE running > 0 AND dur_ns > 0 AND running * squares = numbers * numbers
    GROUP BY label, rank, CAST(numbers / nullif(running, 0) AS BIGINT)
),
buckets AS (
    SELECT
        label, rank, phase, complete, family, implementation, bucket,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns
    FROM _buckets_v1
    GROUP BY label, rank, phase, complete, family, implementation, bucket
),
sums AS (
    SELECT
        b.label, b.rank, b.phase, b.family, b.implementation,
        CAST(sum(b.total_ns) AS BIGINT) AS total_ns,
        CAST(coalesce(sum(a.alone_ns), 0) AS BIGINT) AS alone_ns,
        CAST(coalesce(sum(b.total_ns) FILTER (WHERE b.complete), 0) AS BIGINT) AS complete_ns,
        CAST(coalesce(sum(a.alone_ns) FILTER (WHERE b.complete), 0) AS BIGINT)
            AS complete_alone_ns
    FROM buckets AS b
    LEFT JOIN alone AS a ON a.label = b.label AND a.rank = b.rank AND a.bucket = b.bucket
    GROUP BY b.label, b.rank, b.phase, b.family, b.implementation
),
-- A step on several devices ends with the last of them; one that never repeats has no period, and
-- then its busy time is what a share can be taken of.
steps AS (
    SELECT
        label, rank, phase, profile_id, context_id,
        max(period_ns) AS period_ns, max(busy_ns) AS busy_ns, min(start_ns) AS first_ns
    FROM _context_cells_v1
    WHERE complete
    GROUP BY label, rank, phase, profile_id, context_id
),
typical AS (
    SELECT
        s.label, s.rank, s.phase,
        count(*) AS steps,
        quantile_cont(s.period_ns, 0.5) AS period_ns,
        quantile_cont(s.busy_ns, 0.5) AS busy_ns,
        quantile_cont(CASE WHEN s.period_ns IS NOT NULL THEN coalesce(i.idle_ns, 0) END, 0.5)
            AS idle_ns
    FROM steps AS s
    LEFT JOIN idle AS i
        ON i.label = s.label AND i.rank = s.rank AND i.profile_id = s.profile_id
        AND i.first_ns = s.first_ns
    GROUP BY s.label, s.rank, s.phase
)
SELECT
    s.label, s.rank, s.phase, s.family, s.implementation,
    s.total_ns / 1e6 AS total_ms,
    s.alone_ns / 1e6 AS exclusive_ms,
    s.complete_alone_ns / nullif(t.steps, 0) / 1e6 AS max_saving_ms_per_step,
    s.complete_alone_ns / nullif(t.steps, 0) / nullif(coalesce(t.period_ns, t.busy_ns), 0)
        AS max_saving_share,
    t.steps,
    s.complete_ns / nullif(t.steps, 0) / 1e6 AS ms_per_step,
    t.period_ns / 1e6 AS period_ms,
    t.busy_ns / 1e6 AS busy_ms,
    t.idle_ns / 1e6 AS idle_ms,
    t.idle_ns > s.complete_alone_ns / nullif(t.steps, 0) AS host_bound
FROM sums AS s
LEFT JOIN typical AS t ON t.label = s.label AND t.rank = s.rank AND t.phase = s.phase;

COMMENT ON VIEW ceiling_v1 IS
    'One row per phase, family and implementation: the most that its going away could save.';
COMMENT ON COLUMN ceiling_v1.label IS 'Run, by its unique name in table runs.';
COMMENT ON COLUMN ceiling_v1.rank IS 'Global rank of the profile; -1 where unknown.';
COMMENT ON COLUMN ceiling_v1.phase IS
    'Phase of the steps; outside for work of no step, unknown where it cannot be told.';
COMMENT ON COLUMN ceiling_v1.family IS
    'Kind of work, such as gemm or attention, by table family_rules.';
COMMENT ON COLUMN ceiling_v1.implementation IS
    'Library or code generator, such as LLMM1 or tensile, by table family_rules.';
COMMENT ON COLUMN ceiling_v1.total_ms IS 'Sum of the durations of all its launches, ms.';
COMMENT ON COLUMN ceiling_v1.exclusive_ms IS
    'Time in which it ran and nothing else did on any device of the profile, ms.';
COMMENT ON COLUMN ceiling_v1.max_saving_ms_per_step IS
    'Exclusive time of complete steps / steps, ms; NULL where there is no step.';
COMMENT ON COLUMN ceiling_v1.max_saving_share IS
    'max_saving_ms_per_step / period_ms, or / busy_ms where no step has a period; fraction of 1.';
COMMENT ON COLUMN ceiling_v1.steps IS 'Complete steps of the phase; NULL where it has none.';
COMMENT ON COLUMN ceiling_v1.ms_per_step IS
    'Sum of durations in complete steps / steps, ms; NULL where there is no step.';
COMMENT ON COLUMN ceiling_v1.period_ms IS
    'Median from first launch of a step to that of the next, ms; NULL without a next step.';
COMMENT ON COLUMN ceiling_v1.busy_ms IS 'Median of the time in which anything of a step ran, ms.';
COMMENT ON COLUMN ceiling_v1.idle_ms IS
    'Median over steps of the time in the period in which no device of the profile ran, ms.';
COMMENT ON COLUMN ceiling_v1.host_bound IS
    'Whether idle_ms is larger than the saving: the step then waits for the host, not for kernels.';

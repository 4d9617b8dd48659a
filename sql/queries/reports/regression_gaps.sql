-- The longest times of the candidate in which nothing ran, and the longest one of the base. One of
-- a tenth of the window, three times as long as any of the base, stands out.
WITH sides AS (
    SELECT * FROM gaps_v1 WHERE label = $base AND place = 1
    UNION ALL
    SELECT * FROM gaps_v1 WHERE label = $cand AND place <= 3
),
windows AS (
    SELECT label, profile_id, window_ms FROM run_summary_v1 WHERE label = $base
    UNION ALL
    SELECT label, profile_id, window_ms FROM run_summary_v1 WHERE label = $cand
)
SELECT
    g.label = $cand AS of_cand, g.place, g.phase, g.gap_ms,
    g.gap_ms / nullif(w.window_ms, 0) AS share, g.before_op, g.after_op, g.last_call,
    g.label = $cand AND g.gap_ms >= 0.1 * w.window_ms AND g.gap_ms >= 3 * coalesce(
        max(CASE WHEN g.label = $base THEN g.gap_ms END) OVER (), 0
    ) AS stands_out
FROM sides AS g
JOIN windows AS w ON w.label = g.label AND w.profile_id = g.profile_id
WHERE g.rank = $rank AND ($phase IS NULL OR g.phase = $phase)
ORDER BY of_cand DESC, g.gap_ms DESC, g.device, g.place
LIMIT 5;

-- Spans of annotations on the device: one per stream, from the first to the last launch.
SELECT name, device, stream, ts, dur, external_id
FROM (
    SELECT
        name, coalesce(TRY_CAST(device AS INTEGER), TRY_CAST(pid AS INTEGER)) AS device,
        coalesce(stream, TRY_CAST(regexp_extract(tid, '\d+') AS BIGINT), -1) AS stream,
        ts, dur, external_id
    FROM stage.raw
    WHERE role = 'device annotation' AND ph = 'X' AND ts IS NOT NULL AND dur >= 0
        AND regexp_matches(name, $pattern)
)
WHERE device IS NOT NULL
ORDER BY ts, dur DESC;

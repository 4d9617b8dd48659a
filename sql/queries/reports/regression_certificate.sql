-- What is known of both sides beside their work: same, differs or unknown. A layout or a platform
-- that differs forbids verdicts. Of the rank compared; declared facts are of the run.
WITH own AS (
    SELECT
        CASE WHEN r.label = $base THEN 'base' ELSE 'cand' END AS side, p.layout, p.platform,
        p.device_name, p.format, CAST(coalesce(p.metadata, '{}') AS JSON) AS told
    FROM runs AS r
    JOIN profiles AS p ON p.run_id = r.run_id
    WHERE r.label IN ($base, $cand) AND p.rank = $rank
),
keys AS (
    SELECT side, told, unnest(json_keys(told)) AS key FROM own
),
settings AS (
    SELECT side, told, key, '$."' || key || '"' AS path
    FROM keys
    WHERE key IN ('record_shapes', 'with_stack', 'profile_memory', 'with_flops', 'with_modules')
    UNION ALL
    SELECT side, told, key, '$.config.common_config.' || key
    FROM (
        SELECT side, told, unnest(json_keys(told, '$.config.common_config')) AS key FROM own
    )
    UNION ALL
    SELECT side, told, key, '$.config.experimental_config.' || key
    FROM (
        SELECT side, told, unnest(json_keys(told, '$.config.experimental_config')) AS key FROM own
    )
    WHERE key IN ('_profiler_level', '_aic_metrics', '_msprof_tx', '_l2_cache')
),
steps AS (
    SELECT DISTINCT 'base' AS side, phase, context_id, context_requests, generation_requests
    FROM context_time_v1 WHERE label = $base AND rank = $rank AND complete
    UNION ALL
    SELECT DISTINCT 'cand', phase, context_id, context_requests, generation_requests
    FROM context_time_v1 WHERE label = $cand AND rank = $rank AND complete
),
batches AS (
    SELECT
        side, phase,
        min(coalesce(context_requests + generation_requests, context_requests,
            generation_requests)) AS fewest,
        max(coalesce(context_requests + generation_requests, context_requests,
            generation_requests)) AS most
    FROM steps
    WHERE phase <> 'idle' AND ($phase IS NULL OR phase = $phase)
    GROUP BY side, phase
),
declared AS (
    SELECT
        CASE WHEN r.label = $base THEN 'base' ELSE 'cand' END AS side, f.key,
        CASE
            WHEN regexp_full_match(lower(f.key),
                '(tp|pp|dp|ep|cp|dcp|pcp|sp|layout|world_size|.*parallel.*)') THEN 'layout'
            WHEN regexp_matches(lower(f.key),
                'version|image|build|commit|engine|driver|branch|firmware|cann') THEN 'build'
            ELSE 'load'
        END AS kind,
        f.value
    FROM runs AS r
    JOIN run_facts AS f ON f.run_id = r.run_id
    WHERE r.label IN ($base, $cand)
),
facts AS (
    SELECT
        side, 1 AS place, 'layout' AS kind, 'layout' AS name, FALSE AS declared, layout AS value
    FROM own
    UNION ALL
    SELECT side, 2, 'layout', 'world_size', FALSE, json_extract_string(told, '$.distributedInfo.world_size')
    FROM own
    UNION ALL
    SELECT side, 3, kind, key, TRUE, value FROM declared WHERE kind = 'layout'
    UNION ALL
    SELECT side, 4, 'platform', 'platform', FALSE, nullif(platform, 'unknown') FROM own
    UNION ALL
    SELECT side, 5, 'device', 'device', FALSE, device_name FROM own
    UNION ALL
    SELECT side, 6, 'format', 'format', FALSE, format FROM own
    UNION ALL
    SELECT
        side, 10, 'requests', phase, FALSE,
        CASE WHEN fewest = most THEN CAST(most AS VARCHAR)
            ELSE CAST(fewest AS VARCHAR) || '–' || CAST(most AS VARCHAR) END
    FROM batches
    UNION ALL
    SELECT side, 11, 'version', key, FALSE, json_extract_string(told, '$."' || key || '"')
    FROM keys
    WHERE regexp_matches(lower(key), '_version$') AND NOT regexp_matches(lower(key), 'schema')
    UNION ALL
    SELECT
        side, 11, 'version', 'nccl_version', FALSE,
        json_extract_string(told, '$.distributedInfo.nccl_version')
    FROM own
    WHERE json_extract_string(told, '$.distributedInfo.nccl_version') IS NOT NULL
    UNION ALL
    SELECT
        side, 12, 'settings', 'profiler_settings', FALSE,
        ltrim(key, '_') || CASE
            WHEN lower(json_extract_string(told, path)) IN ('1', 'true') THEN ''
            ELSE '=' || json_extract_string(told, path) END
    FROM settings
    WHERE lower(json_extract_string(told, path)) NOT IN ('0', 'false')
        AND key NOT IN ('activities', 'schedule')
    UNION ALL
    SELECT side, CASE kind WHEN 'build' THEN 13 ELSE 14 END, kind, key, TRUE, value
    FROM declared
    WHERE kind <> 'layout'
),
sides AS (
    SELECT
        place, kind, name, declared,
        string_agg(DISTINCT nullif(value, ''), ', ' ORDER BY nullif(value, ''))
            FILTER (WHERE side = 'base') AS base,
        string_agg(DISTINCT nullif(value, ''), ', ' ORDER BY nullif(value, ''))
            FILTER (WHERE side = 'cand') AS cand
    FROM facts
    GROUP BY place, kind, name, declared
)
SELECT
    place, kind, name, declared, base, cand,
    CASE
        WHEN base IS NULL OR cand IS NULL THEN 'unknown'
        WHEN base = cand THEN 'same'
        ELSE 'differs'
    END AS state
FROM sides
-- What neither side tells is left out, but for what every page says.
WHERE base IS NOT NULL OR cand IS NOT NULL
    OR kind IN ('platform', 'device', 'format', 'requests') OR (name = 'layout' AND NOT declared)
ORDER BY place, name;

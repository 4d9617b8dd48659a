-- DECIMAL columns take numbers from their digits, whether they are written as numbers or as text.
-- What an event is is decided by its category alone, in the spelling of any year.
INSERT INTO stage.raw BY NAME
SELECT
    e.role, e.ph, e.cat, e.name,
    coalesce(e.pid, '') AS pid, coalesce(e.tid, '') AS tid, e.id,
    -- Beyond a century it is the garbage of a counter, with which sums would overflow; the column
    -- of durations holds no such number.
    CASE WHEN abs(e.ts) >= 4e15 THEN error('time out of range') ELSE CAST(e.ts * 1000 AS BIGINT) END
        AS ts,
    CAST(e.dur * 1000 AS BIGINT) AS dur,
    nullif(a.correlation, 0) AS correlation,
    -- The writers of 2021 spelt it in lower case on device work and runtime calls.
    CASE
        WHEN e.cat IN ('Kernel', 'Memcpy', 'Memset', 'Runtime')
            THEN TRY_CAST(json_extract_string(e.args, '$."external id"') AS BIGINT)
        ELSE a."External id"
    END AS external_id,
    a.device, a.stream, nullif(a."graph node id", 0) AS graph_node,
    CASE WHEN e.role = 'python' AND NOT $python THEN NULL ELSE e.args END AS args
FROM (
    SELECT *,
        CASE lower(cat)
            WHEN 'kernel' THEN 'work'
            WHEN 'gpu_memcpy' THEN 'work'
            WHEN 'gpu_memset' THEN 'work'
            WHEN 'memcpy' THEN 'work'
            WHEN 'memset' THEN 'work'
            WHEN 'cuda_runtime' THEN 'runtime'
            WHEN 'cuda_driver' THEN 'runtime'
            WHEN 'runtime' THEN 'runtime'
            WHEN 'xpu_runtime' THEN 'runtime'
            WHEN 'xpu_driver' THEN 'runtime'
            WHEN 'privateuse1_runtime' THEN 'runtime'
            WHEN 'privateuse1_driver' THEN 'runtime'
            WHEN 'cpu_op' THEN 'op'
            WHEN 'operator' THEN 'op'
            WHEN 'user_annotation' THEN 'annotation'
            WHEN 'gpu_user_annotation' THEN 'device annotation'
            WHEN 'python_function' THEN 'python'
            ELSE 'other'
        END AS role,
        CASE
            WHEN role IN ('other', 'python') THEN NULL
            ELSE json_transform(args, '{
                "correlation": "BIGINT", "External id": "BIGINT", "device": "BIGINT",
                "stream": "BIGINT", "graph node id": "BIGINT"
            }')
        END AS a
    FROM read_json(
        $files, format = 'array', columns = {
            ph: 'VARCHAR', cat: 'VARCHAR', name: 'VARCHAR', pid: 'VARCHAR', tid: 'VARCHAR',
            id: 'VARCHAR', ts: 'DECIMAL(20,3)', dur: 'DECIMAL(18,3)', args: 'JSON'
        }
    )
) AS e;

-- Times are read from their digits; a TAB that ends a cell does not disturb them. A number in
-- scientific notation, as spreadsheets write it, has lost its digits and is no time, nor is one
-- beyond a century.
INSERT INTO stage.work BY NAME
SELECT
    CAST($number AS INTEGER) AS file_no,
    coalesce(TRY_CAST(device_id AS INTEGER), 0) AS device,
    TRY_CAST(stream_id AS BIGINT) AS stream,
    CASE WHEN abs(start_dec) < 4e15 AND NOT contains(lower(start_us), 'e')
        THEN CAST(start_dec * 1000 AS BIGINT) END AS start_ns,
    start_dec BETWEEN 1e14 AND 4e15 AND contains(lower(start_us), 'e') AS start_lost,
    CASE WHEN NOT contains(lower(dur_us), 'e') THEN CAST(dur_dec * 1000 AS BIGINT) END AS dur_ns,
    'kernel' AS kind,
    coalesce(name, '') AS name,
    type AS op_type,
    type AS op,
    coalesce(trim(input_shapes, '"'), '') AS shape,
    CASE WHEN input_shapes IS NULL THEN 'none' ELSE 'vendor file' END AS shape_source,
    input_dtypes AS dtype,
    TRY_CAST(step_id AS BIGINT) AS context_no,
    CASE WHEN step_id IS NULL THEN 'no steps in the file' ELSE 'step id' END AS attribution,
    false AS graph_replay,
    CASE core WHEN 'HCCL' THEN 'COMMUNICATION' ELSE core END AS core,
    TRY_CAST(task_id AS BIGINT) AS task_id,
    TRY_CAST(model_id AS BIGINT) AS model_id,
    TRY_CAST(block_num AS BIGINT) AS block_num,
    TRY_CAST(mix_block_num AS BIGINT) AS mix_block_num,
    CAST(TRY_CAST(wait_us AS DECIMAL(18, 3)) * 1000 AS BIGINT) AS wait_ns,
    op_state, hf32, input_formats,
    trim(output_shapes, '"') AS output_shapes,
    output_dtypes, output_formats, vendor_context,
    counters,
    -- Cells that a DOUBLE would not give back are kept as text.
    CASE WHEN list_count(counters) < list_count(extra)
            OR list_bool_or(list_transform(extra, lambda x: length(x) > 15))
        THEN to_json(extra[:-2]) END AS args
FROM (
    SELECT *,
        -- A DECIMAL of 18 digits is four times as fast as a longer one, which only the start needs.
        TRY_CAST(start_us AS DECIMAL(20, 3)) AS start_dec,
        TRY_CAST(dur_us AS DECIMAL(18, 3)) AS dur_dec,
        -- A counter that overflowed, or divided by nothing, is nan or -inf: not measured either.
        list_transform(
            list_transform(extra[:-2], lambda x: TRY_CAST(x AS DOUBLE)),
            lambda v: CASE WHEN isfinite(v) THEN v END
        ) AS counters
    FROM (
        SELECT *, [*COLUMNS('^extra_')] AS extra
        FROM (
            FROM read_csv(
                $file, columns = $columns, header = true, auto_detect = false,
                delim = ',', quote = '"', escape = '"',
                nullstr = ['N/A', '', 'NULL', '-', 'inf'], store_rejects = true
            )
            UNION ALL BY NAME
            FROM stage.kernel_columns
        )
    )
);

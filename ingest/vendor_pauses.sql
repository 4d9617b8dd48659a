-- Pauses among the tasks of a file, which a kernel table beside it does not list.
INSERT INTO stage.pauses
SELECT coalesce(TRY_CAST(device AS INTEGER), 0), TRY_CAST(stream AS BIGINT), kind,
    CAST(start_us * 1000 AS BIGINT), CAST(dur_us * 1000 AS BIGINT), true
FROM (
    SELECT json_extract_string(content, '$."Device_id"') AS device,
        json_extract_string(content, '$."stream_id"') AS stream,
        json_extract_string(content, '$."kernel_type"') AS kind,
        TRY_CAST(json_extract_string(content, '$."task_start(us)"') AS DECIMAL(20, 3)) AS start_us,
        TRY_CAST(json_extract_string(content, '$."task_time(us)"') AS DECIMAL(18, 3)) AS dur_us
    FROM stage.vendor_rows
    WHERE file_id = $number AND source = 'task_time' AND contains(content, '_WAIT')
)
WHERE kind IN ('MEM_WAIT_VALUE', 'CAPTURE_WAIT') AND start_us BETWEEN 0 AND 4e15 AND dur_us >= 0;

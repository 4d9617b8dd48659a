CREATE OR REPLACE TEMP TABLE new_kernels AS
SELECT kernel_id, kind, name, platform, op_type, stable_name,
    CAST(NULL AS VARCHAR) AS family, CAST(NULL AS VARCHAR) AS implementation,
    CAST(NULL AS INTEGER) AS rule
FROM kernel_names;

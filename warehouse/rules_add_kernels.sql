INSERT INTO kernel_names BY NAME
SELECT kernel_id, kind, name, platform, op_type, stable_name,
    coalesce(family, 'other') AS family, coalesce(implementation, 'other') AS implementation, rule
FROM new_kernels;
DROP TABLE new_kernels;

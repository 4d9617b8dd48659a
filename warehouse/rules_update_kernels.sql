UPDATE kernel_names AS k
SET stable_name = n.stable_name, family = coalesce(n.family, 'other'),
    implementation = coalesce(n.implementation, 'other'), rule = n.rule
FROM new_kernels AS n
WHERE n.kernel_id = k.kernel_id;
DROP TABLE new_kernels;

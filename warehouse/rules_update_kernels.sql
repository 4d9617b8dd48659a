UPDATE kernel_names AS k
SET stable_name = n.stable_name, family = coalesce(n.family, 'other'),
    implementation = coalesce(n.implementation, 'other'), rule = n.rule
FROM new_kernels AS n
WHERE n.kernel_id = k.kernel_id AND (
    k.stable_name IS DISTINCT FROM n.stable_name
    OR k.family IS DISTINCT FROM coalesce(n.family, 'other')
    OR k.implementation IS DISTINCT FROM coalesce(n.implementation, 'other')
    OR k.rule IS DISTINCT FROM n.rule
);
DROP TABLE new_kernels;

-- Kernel names that differ only in generated numbering or a counter are one kernel: the group has
-- the number of its first name.
CREATE OR REPLACE VIEW _kernel_groups_v1 AS
SELECT
    kernel_id,
    min(kernel_id) OVER (PARTITION BY coalesce(stable_name, name)) AS group_id
FROM kernel_names;

COMMENT ON VIEW _kernel_groups_v1 IS
    'One row per kernel name: the group of names that share a stable name.';
COMMENT ON COLUMN _kernel_groups_v1.kernel_id IS 'The name of table kernel_names.';
COMMENT ON COLUMN _kernel_groups_v1.group_id IS 'Lowest kernel_id with the same stable name.';

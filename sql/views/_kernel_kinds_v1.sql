-- Which modules of a model a kernel may serve: its own row of served_kinds before that of '*'.
CREATE OR REPLACE VIEW _kernel_kinds_v1 AS
SELECT n.kernel_id, coalesce(one.kind, every.kind) AS kind
FROM kernel_names AS n
LEFT JOIN served_kinds AS one
    ON one.family = n.family AND one.implementation = n.implementation
LEFT JOIN served_kinds AS every
    ON every.family = n.family AND every.implementation = '*';

COMMENT ON VIEW _kernel_kinds_v1 IS
    'One row per kernel name: the modules of a model that it may serve.';
COMMENT ON COLUMN _kernel_kinds_v1.kernel_id IS 'The name of table kernel_names.';
COMMENT ON COLUMN _kernel_kinds_v1.kind IS
    'linear, experts, attention, linear_attention, beside (a helper that serves none) or NULL.';

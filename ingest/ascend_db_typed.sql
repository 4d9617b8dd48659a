-- Whether any kernel has an operator type, and whether there are kernels.
SELECT
    EXISTS (
        SELECT 1 FROM {table} AS c JOIN STRING_IDS AS s ON s.id = c.{column}
        WHERE s.value NOT IN ('N/A', '')
    ),
    EXISTS (SELECT 1 FROM {table})

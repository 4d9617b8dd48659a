UPDATE new_kernels
SET family = $1, implementation = $2, rule = CAST($3 AS INTEGER)
WHERE family IS NULL AND $4 IN ('any', platform)
    AND regexp_matches(CASE $5 WHEN 'name' THEN name ELSE nullif(op_type, '') END, $6);

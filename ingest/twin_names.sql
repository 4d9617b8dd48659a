-- The names of the staged launches, for the rules that make them stable.
CREATE OR REPLACE TEMP TABLE new_kernels AS
SELECT DISTINCT name, name AS stable_name FROM stage.work;
CREATE TEMP TABLE IF NOT EXISTS twin_launches (
    side INTEGER, launch UBIGINT, core UBIGINT, shape UBIGINT
);

-- Whose runtime the launches go through: on ROCm and DCU its calls keep the category of CUDA.
SELECT max(CASE WHEN name LIKE 'hip%' THEN 'rocm' WHEN name LIKE 'cu%' THEN 'cuda' END)
FROM stage.raw WHERE role = 'runtime';

-- Whether launches go through HIP: on ROCm and DCU runtime calls keep the category of CUDA.
SELECT count(*) > 0 FROM stage.raw WHERE role = 'runtime' AND name LIKE 'hip%';

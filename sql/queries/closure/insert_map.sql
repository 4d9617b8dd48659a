-- Store which kernels serve a module.
INSERT INTO model_maps (run_id, model_id, phase, family, implementation, module, multiplicity, origin)
VALUES ($run_id, $model_id, $phase, $family, $implementation, $module, $multiplicity, $origin);

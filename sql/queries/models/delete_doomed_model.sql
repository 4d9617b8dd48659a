DELETE FROM model_maps WHERE model_id IN (SELECT model_id FROM doomed_model);
DELETE FROM map_readings WHERE model_id IN (SELECT model_id FROM doomed_model);
DELETE FROM model_sequence WHERE model_id IN (SELECT model_id FROM doomed_model);
DELETE FROM model_modules WHERE model_id IN (SELECT model_id FROM doomed_model);
DELETE FROM models WHERE model_id IN (SELECT model_id FROM doomed_model);
DROP TABLE doomed_model;

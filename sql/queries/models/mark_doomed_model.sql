-- The model that is about to go.
CREATE OR REPLACE TEMP TABLE doomed_model AS SELECT model_id FROM models WHERE name = $name;

SELECT name FROM models ORDER BY name;

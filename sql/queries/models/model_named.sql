SELECT name, architecture, layers, source_path, config FROM models WHERE name = $name;

SELECT architecture, layers, source_path, added_at AS added_at_utc FROM models WHERE name = $name;

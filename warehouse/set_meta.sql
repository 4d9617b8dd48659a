INSERT OR REPLACE INTO _meta (key, value) VALUES ($key, $value);

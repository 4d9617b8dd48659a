SELECT value FROM _meta WHERE key = $key;

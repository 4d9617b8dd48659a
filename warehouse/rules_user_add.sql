INSERT INTO user_rules (place, platform, applies_to, pattern, family, implementation, source_path)
SELECT coalesce(max(place), 0) + 1, ?, ?, ?, ?, ?, ? FROM user_rules;

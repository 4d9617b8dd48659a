SELECT platform, applies_to, pattern, family, implementation, source_path
FROM user_rules ORDER BY place;

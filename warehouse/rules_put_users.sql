-- Numbered from below zero up to -1 in the order of their places: the first added comes first.
DELETE FROM family_rules WHERE rule < 0;
INSERT INTO family_rules (rule, platform, applies_to, pattern, family, implementation, origin)
SELECT CAST(row_number() OVER (ORDER BY place) - count(*) OVER () - 1 AS INTEGER),
    platform, applies_to, pattern, family, implementation, source_path
FROM user_rules;

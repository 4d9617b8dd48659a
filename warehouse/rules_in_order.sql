SELECT family, implementation, rule, platform, applies_to, pattern FROM family_rules ORDER BY rule;

-- The rules in their order: those that named a stored kernel name, or with $everything all.
SELECT r.rule, coalesce(r.origin, 'shipped') AS origin, r.platform, r.applies_to, r.family,
    r.implementation, count(n.kernel_id) AS names, r.pattern
FROM family_rules AS r LEFT JOIN kernel_names AS n ON n.rule = r.rule
GROUP BY r.rule, r.origin, r.platform, r.applies_to, r.family, r.implementation, r.pattern
HAVING $everything OR count(n.kernel_id) > 0
ORDER BY r.rule;

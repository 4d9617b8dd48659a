INSERT INTO family_rules (rule, platform, applies_to, pattern, family, implementation)
SELECT unnest(CAST(? AS INTEGER[])), unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[])),
    unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[]));

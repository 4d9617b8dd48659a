INSERT INTO family_rules
SELECT unnest(CAST(? AS INTEGER[])), unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[])),
    unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[]));

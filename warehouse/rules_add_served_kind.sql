INSERT INTO served_kinds (family, implementation, kind)
SELECT unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS VARCHAR[]));

INSERT INTO token_tensors
SELECT unnest(CAST(? AS VARCHAR[])), unnest(CAST(? AS INTEGER[]));

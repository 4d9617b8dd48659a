INSERT INTO token_tensors VALUES (?, ?);

DELETE FROM family_rules;
DELETE FROM token_tensors;

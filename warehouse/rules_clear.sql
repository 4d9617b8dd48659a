DELETE FROM family_rules;
DELETE FROM served_kinds;
DELETE FROM token_tensors;

DELETE FROM user_rules WHERE source_path = ?;

SELECT sha256 FROM stage.files ORDER BY rowid;

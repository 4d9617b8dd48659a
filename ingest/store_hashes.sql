-- Of the files that are the profile's content.
SELECT sha256 FROM stage.files WHERE beside IS NOT TRUE ORDER BY rowid;

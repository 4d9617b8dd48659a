-- The place of the file that was staged last.
SELECT count(*) FROM stage.files;

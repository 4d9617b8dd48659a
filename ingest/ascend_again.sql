-- Nothing was read of the file so far.
DELETE FROM stage.work WHERE file_no = $number;

-- Lines that the reader refused because they are no UTF-8.
SELECT count(*) FROM reject_errors WHERE error_type = 'INVALID ENCODING';

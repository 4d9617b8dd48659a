-- Files that are read beside the launches: a profile is known again without them.

ALTER TABLE files ADD COLUMN beside BOOLEAN;
COMMENT ON COLUMN files.beside IS 'True for what a vendor wrote beside the launches: no part of the profile''s digest; NULL otherwise.';
COMMENT ON COLUMN profiles.digest IS 'SHA-256 over the content of the source files, those beside the launches left out: the same content is stored once.';
COMMENT ON COLUMN ledger.stored IS 'Events that became a row of kernels, events or a vendor table.';
COMMENT ON COLUMN vendor_collectives.transit_bytes IS 'Bytes moved over RDMA and SDMA, which is the sum of HCCS, PCIE and SIO.';
COMMENT ON COLUMN vendor_collectives.transports IS 'Per transport its bytes, transit_ns and packets (bytes, count, ns of each size), JSON text.';
COMMENT ON COLUMN vendor_rows.row_number IS 'Data row in the file, from 1; pairs of ranks are numbered in their order.';

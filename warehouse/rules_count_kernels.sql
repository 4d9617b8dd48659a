SELECT count(*) FROM new_kernels;

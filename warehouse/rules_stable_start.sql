UPDATE new_kernels SET stable_name = name;

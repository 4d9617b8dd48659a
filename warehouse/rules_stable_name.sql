UPDATE new_kernels SET stable_name = regexp_replace(stable_name, ?, ?, 'g');

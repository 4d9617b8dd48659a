"""Which kernels serve which modules of a model, inferred from launch counts."""

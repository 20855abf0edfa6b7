"""Products of nvfp4 matrices and vectors: problems, kernels, launches, references."""

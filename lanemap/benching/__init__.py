"""Full kernels: their headers from observed maps, their build, launch, check and measurement."""

"""C = A @ B.T: what all kernels of that product share on the host."""

"""Operations as libraries of GPU kernels have them: Triton kernels, and what calls them."""

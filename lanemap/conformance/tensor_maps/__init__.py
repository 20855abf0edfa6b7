"""Tensor maps: what the CUDA driver encodes over a grid of parameters."""

"""Kernels of attention: sizes, tiles, launch and the function for a user's arrays."""

"""Fragments of wmma: forms, kernels around loads, stores and products, and what they show."""

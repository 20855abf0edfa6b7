"""Probes of the operands of MFMA: forms, kernels, and what their readings mean."""

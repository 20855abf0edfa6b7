"""Probes of tensor copies: boxes between global and shared memory."""

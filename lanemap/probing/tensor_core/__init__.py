"""Probes of `tcgen05.mma`: its kernel, operands and launches, and what readings prove."""

"""Probes of `wgmma.mma_async`: its kernel, and what its readings prove."""

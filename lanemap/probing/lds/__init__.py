"""Probes of gfx950 instructions that read LDS at an address from each lane."""

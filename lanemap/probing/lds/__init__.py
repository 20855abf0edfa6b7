"""Probes of gfx950 instructions that read LDS through an address from every lane."""

"""Probes of instructions that move bits between a warp's registers and rows of shared memory."""

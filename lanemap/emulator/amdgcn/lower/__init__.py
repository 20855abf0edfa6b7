"""Lowers parsed AMDGCN assembly to the programs that the emulator runs."""

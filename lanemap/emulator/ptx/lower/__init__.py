"""Lowers a parsed PTX module to the programs that the emulator runs."""

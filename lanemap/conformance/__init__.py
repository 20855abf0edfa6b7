"""Conformance of the emulator with silicon and with assemblers: programs, approximations, forms."""

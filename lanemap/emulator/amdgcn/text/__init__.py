"""AMDGCN assembly to a parsed module."""

#: The processor of a text that names none, unless its device has another.
PROCESSOR = "gfx950"

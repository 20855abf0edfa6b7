"""AMDGCN assembly for gfx950: parser, instruction table and semantics."""

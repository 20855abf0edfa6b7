"""AMDGCN assembly to a parsed module."""

"""Faults that kernel authors met in public, and what GPU and emulator say of them."""

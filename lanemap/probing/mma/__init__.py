"""Fragments of mma.sync: forms, a kernel that multiplies one element at a time, what it shows."""

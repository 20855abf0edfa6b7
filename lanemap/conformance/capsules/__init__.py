"""Capsules: one file that a stranger runs on a GPU that we do not have, and what comes back."""

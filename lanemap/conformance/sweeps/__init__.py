"""The sweeps, one file each; `lanemap sweep` finds them without a registry.

Each has a variable SWEEP: what is tried, what it is held against, and the items.
"""

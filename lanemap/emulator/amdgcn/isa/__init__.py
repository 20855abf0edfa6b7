"""Definitions of the instructions, one module for each family; importing one fills the table."""

from __future__ import annotations

from functools import cache
from importlib import import_module

FAMILIES = (
    "scalar", "scalar_bits", "scalar_control", "scalar_memory",
    "integer", "integer_wide", "bits", "compare", "lane_moves",
    "floats", "float_functions", "convert", "narrow", "packed", "dot",
    "lds", "lds_lanes", "flat", "buffer", "matrix",
)  # fmt: skip


@cache
def load() -> None:
    """Import every family, once."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")

"""Definitions of the instructions, one module for each family; importing this fills the table."""

from lanemap.emulator.amdgcn.isa import (
    bits,
    buffer,
    compare,
    convert,
    cube,
    dot,
    flat,
    float_functions,
    floats,
    integer,
    integer_wide,
    lane_moves,
    lds,
    lds_exchange,
    lds_lanes,
    matrix,
    narrow,
    narrow_wide,
    packed,
    scalar,
    scalar_bits,
    scalar_control,
    scalar_memory,
    typed_buffer,
)

__all__ = [
    "bits", "buffer", "compare", "convert", "cube", "dot", "flat", "float_functions", "floats",
    "integer", "integer_wide", "lane_moves", "lds", "lds_exchange", "lds_lanes", "matrix",
    "narrow", "narrow_wide", "packed", "scalar", "scalar_bits", "scalar_control", "scalar_memory",
    "typed_buffer",
]  # fmt: skip

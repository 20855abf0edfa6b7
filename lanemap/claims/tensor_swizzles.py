"""How tensor copies swizzle: CUTLASS, Triton and the tables of NVIDIA's PTX ISA.

All of them place units of 16 bytes within lines of 128 bytes of shared memory.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.layout import LayoutMap, Space

_AXES = (("line", 8), ("unit", 8), ("byte", 16), ("bit", 8))
_SHARED, _LINEAR = Space("shared", _AXES), Space("linear", _AXES)
_NAME = r"cp\.async\.bulk\.tensor\.swizzle_"
#: CuTe's Swizzle<B, M, S> of each mode, which it takes apart to choose the driver's.
_CUTE = {"none": (0, 4, 3), "32b": (1, 4, 3), "64b": (2, 4, 3), "128b": (3, 4, 3),
         "128b_atom_32b": (2, 5, 2), "128b_atom_64b": (1, 6, 1)}  # fmt: skip
#: Triton's (perPhase, maxPhase) by the bytes of a row.
_PHASES = {"32b": (32, 4, 2), "64b": (64, 2, 4), "128b": (128, 1, 8)}
#: The ISA's tables: the units of one row of the table after the other, as they lie.
_TABLES = {
    "none": ("01234567",),
    "32b": ("01234567", "10325476"),
    "64b": ("01234567", "10325476", "23016745", "32107654"),
    "128b": ("01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301",
             "76543210"),
    "128b_atom_32b": ("01234567", "23016745", "45670123", "67452301"),
    "128b_atom_64b": ("01234567", "45670123"),
}  # fmt: skip


def _placed(unit_of: Any) -> LayoutMap:
    def held(line: Any, unit: Any, byte: Any, bit: Any) -> dict[str, Any]:
        source = unit_of(line, unit)
        return {"line": source // 8, "unit": source % 8, "byte": byte, "bit": bit}

    return LayoutMap.from_function(_SHARED, _LINEAR, held)


def _cute(match: re.Match[str]) -> LayoutMap:
    bits, base, shift = _CUTE[match["mode"]]

    def unit_of(line: Any, unit: Any) -> Any:
        address = line * 128 + unit * 16
        chosen = address & (((1 << bits) - 1) << (base + shift))
        return (address ^ (chosen >> shift)) // 16

    return _placed(unit_of)


def _triton(match: re.Match[str]) -> LayoutMap:
    width, per_phase, most = _PHASES[match["mode"]]
    units = width // 16

    def unit_of(line: Any, unit: Any) -> Any:
        linear = line * 8 + unit
        row, column = linear // units, linear % units
        return row * units + (column ^ (row // per_phase % most))

    return _placed(unit_of)


def _isa(match: re.Match[str]) -> LayoutMap:
    table = np.array([[int(digit) for digit in row] for row in _TABLES[match["mode"]]])
    return _placed(lambda line, unit: line * 8 + table[line % len(table), unit])


STATEMENTS = (
    Statement(
        "CUTLASS, tensor copies",
        "NVIDIA/cutlass, include/cute/atom/copy_traits_sm90_tma_swizzle.hpp, get_tma_swizzle_bits "
        "and get_tma_swizzle_base",
        Level.HW_CI,
        _NAME + r"(?P<mode>none|32b|64b|128b|128b_atom_32b|128b_atom_64b)",
        _cute,
    ),
    Statement(
        "Triton, NVIDIA shared layouts",
        "triton-lang/triton, lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp, "
        "getCoreMatrixLinearLayout",
        Level.HW_CI,
        _NAME + r"(?P<mode>32b|64b|128b)",
        _triton,
    ),
    Statement(
        "PTX ISA, tables of swizzling modes",
        "NVIDIA PTX ISA, Tensors: Swizzling Modes",
        Level.ISA,
        _NAME + r"(?P<mode>none|32b|64b|128b|128b_atom_32b|128b_atom_64b)",
        _isa,
    ),
)

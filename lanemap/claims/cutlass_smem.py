"""CUTLASS's atoms of operands in shared memory: a layout of bits and a Swizzle of the address.

A K-major atom is 8 rows of 16, 32, 64 or 128 bytes of K; an MN-major one 8 values of k (4 with
32-byte units) of so many bytes of M or N. Swizzle<B, M, S> XORs B bits of the byte address from
position M + S on into those from M on. The descriptor decides where further atoms lie,
so the claims cover only the first atom.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.layout import UNDEFINED, LayoutMap, Space

_FILE = "NVIDIA/cutlass, include/cute/atom/{}"
_GMMA = _FILE.format("mma_traits_sm90_gmma.hpp, Layout_{}_*_Atom_Bits")
# Width of an atom's row in bytes, and the parameters of its Swizzle.
_ATOMS = {
    "none": (16, (0, 4, 3)),
    "32b": (32, (1, 4, 3)),
    "64b": (64, (2, 4, 3)),
    "128b": (128, (3, 4, 3)),
    "128b_atom32b": (128, (2, 5, 2)),
}


def swizzled(parameters: tuple[int, int, int], address: Any) -> Any:
    """Swizzle<B, M, S> of a byte address."""
    bits, base, shift = parameters
    return address ^ ((address & (((1 << bits) - 1) << (base + shift))) >> shift)


def _addresses(match: re.Match[str]) -> LayoutMap:
    """The byte that lies at each address: a swizzle undoes itself."""
    _, parameters = _ATOMS[match["mode"]]
    return LayoutMap.from_function(
        Space("shared", (("byte", 1024),)),
        Space("linear", (("byte", 1024),)),
        lambda byte: {"byte": swizzled(parameters, byte)},
    )


def _first_atom(match: re.Match[str]) -> LayoutMap:
    width, parameters = _ATOMS[match["mode"]]
    bits = int(match["bits"])
    steps = 4 if match["mode"] == "128b_atom32b" else 8
    across = 8 * width // bits
    rows, depth = (steps, across) if match["major"] == "k" else (across, steps)
    shared = Space("shared", (("byte", steps * width), ("bit", 8)))
    matrix = Space("matrix", (("row", rows), ("k", depth), ("bit", bits)))
    table = np.full(shared.size, UNDEFINED, dtype=np.int64)
    held = matrix.grid()
    step, along = ("row", "k") if match["major"] == "k" else ("k", "row")
    place = 8 * width * held[step] + bits * held[along] + held["bit"]
    address = swizzled(parameters, place // 8)
    table[shared.index(byte=address, bit=place % 8)] = np.arange(matrix.size)
    return LayoutMap(shared, matrix, table)


STATEMENTS = (
    Statement(
        "CUTLASS, shared-memory atoms",
        _GMMA.format("K"),
        Level.HW_CI,
        r"shared\.swizzle\.(?P<mode>32b|64b|128b)",
        _addresses,
    ),
    Statement(
        "CUTLASS, shared-memory atoms",
        _FILE.format("mma_traits_sm100.hpp, Layout_MN_SW128_32B_Atom_Bits"),
        Level.HW_CI,
        r"shared\.swizzle\.(?P<mode>128b_atom32b)",
        _addresses,
    ),
    Statement(
        "CUTLASS, shared-memory atoms",
        _GMMA.format("K"),
        Level.HW_CI,
        r"shared\.(?P<major>k)_major\.(?P<mode>none|32b|64b|128b)\.(?P<bits>\d+)bit",
        _first_atom,
    ),
    Statement(
        "CUTLASS, shared-memory atoms",
        _GMMA.format("MN"),
        Level.HW_CI,
        r"shared\.(?P<major>mn)_major\.(?P<mode>none|32b|64b|128b)\.(?P<bits>\d+)bit",
        _first_atom,
    ),
    Statement(
        "CUTLASS, shared-memory atoms",
        _FILE.format("mma_traits_sm100.hpp, Layout_MN_SW128_32B_Atom_Bits"),
        Level.HW_CI,
        r"shared\.(?P<major>mn)_major\.(?P<mode>128b_atom32b)\.(?P<bits>\d+)bit",
        _first_atom,
    ),
)

"""AMD's hip-fpsan: how its tests of SMFMAC load operands, which they ran on an MI350.

Each test (`LayoutMatchesHardware`, `SmfmacFp8_*`) fills the registers of a wave as said here from A
without its zeros, B and random places of the kept elements, and compares D with a product on the
host bit by bit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import matrix
from lanemap.layout import UNDEFINED, LayoutMap, Space

# (lane group, element) -> kept element of A or k of B; group of four k -> lane group and nibble.
_Rule = Callable[[Any, Any], Any]
_Index = Callable[[Any], tuple[Any, Any]]


def _doubled_bytes(group: Any, byte: Any) -> Any:
    """Kept elements of 16x16x128."""
    return byte % 4 + 16 * (byte // 4 % 2) + 4 * (byte // 8) + 32 * (group // 2) + 8 * (group % 2)


def _index_of_doubled(q: Any) -> tuple[Any, Any]:
    return 2 * (q // 16) + q // 4 % 2, 2 * (q // 8 % 2) + 4 * (q % 4 // 2) + q % 2


#: By shape and width of an element.
RULES: dict[tuple[str, int], tuple[_Rule, _Rule, _Index]] = {
    ("16x16x32", 16): (
        lambda g, n: 4 * g + n, lambda g, n: 8 * g + n, lambda q: (q // 2, q % 2)),
    ("32x32x16", 16): (
        lambda g, n: 4 * g + n, lambda g, n: 8 * g + n, lambda q: (q // 2, q % 2)),
    ("16x16x64", 16): (
        lambda g, n: 8 * g + n, lambda g, n: 32 * (n // 8) + 8 * g + n % 8,
        lambda q: (q // 4, q % 4)),
    ("32x32x32", 16): (
        lambda g, n: 8 * g + n, lambda g, n: 16 * (n // 8) + 8 * g + n % 8,
        lambda q: (q // 4, q % 4)),
    ("16x16x64", 8): (
        lambda g, n: 16 * (n // 4) + 4 * g + n % 4, lambda g, n: 32 * (n // 8) + 8 * g + n % 8,
        lambda q: (q % 8 // 2, 2 * (q // 8) + q % 2)),
    ("32x32x32", 8): (
        lambda g, n: 8 * (n // 4) + 4 * g + n % 4, lambda g, n: 16 * (n // 8) + 8 * g + n % 8,
        lambda q: (q % 4 // 2, 2 * (q // 4) + q % 2)),
    ("16x16x128", 8): (
        _doubled_bytes, lambda g, n: 32 * (n // 8) + 8 * g + n % 8, _index_of_doubled),
    ("32x32x64", 8): (
        lambda g, n: n % 4 + 8 * (n // 4 % 2) + 4 * (n // 8) + 16 * g,
        lambda g, n: 16 * (n // 8) + 8 * g + n % 8,
        lambda q: (q // 8, q % 2 + 2 * (q // 4 % 2) + 4 * (q // 2 % 2))),
}  # fmt: skip


def _of(match: re.Match[str]) -> tuple[int, int, int, tuple[_Rule, _Rule, _Index]]:
    """M = N, K, the width of an element, and the rules."""
    bits = 16 if match["type"].endswith("f16") else 8
    side, _, depth = (int(part) for part in match["shape"].split("x"))
    return side, depth, bits, RULES[match["shape"], bits]


def _operand(match: re.Match[str]) -> LayoutMap:
    side, depth, bits, rules = _of(match)
    kept = match["letter"] == "A"
    along = depth // 2 if kept else depth
    registers = side * along // 64 * bits // 32
    register = Space("register", (("lane", 64), ("register", registers), ("bit", 32)))
    names = ("row", "kept") if kept else ("k", "column")
    sizes = (side, along) if kept else (along, side)
    rule = rules[0] if kept else rules[1]

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        number = rule(lane // side, place // bits)
        across = (
            {"row": lane % side, "kept": number} if kept else {"column": lane % side, "k": number}
        )
        return {**across, "bit": place % bits}

    return LayoutMap.from_function(register, matrix(*names, *sizes, bits), source)


def _index(match: re.Match[str]) -> LayoutMap:
    side, depth, _, rules = _of(match)
    register = Space("register", (("lane", 64), ("register", 1), ("bit", 32)))
    index = Space("index", (("row", side), ("group", depth // 4), ("bit", 4)))
    row, group, bit = np.indices(index.sizes).reshape(3, -1)
    lanes, nibble = rules[2](group)
    table = np.full(register.size, UNDEFINED, np.int64)
    table[(lanes * side + row) * 32 + 4 * nibble + bit] = np.arange(index.size)
    return LayoutMap(register, index, table)


_SOURCE = "hip-fpsan"
_CITATION = "ROCm/hip-fpsan, tests of SMFMAC on gfx950: {}"
_NAME = r"v_smfmac_f32_(?P<shape>\d+x\d+x\d+)_(?P<type>b?f16|[fb][pf]8_[fb][pf]8)"

STATEMENTS = (
    Statement(
        _SOURCE,
        _CITATION.format("kernels k_smf*"),
        Level.HW_RUN,
        rf"{_NAME}:(?P<letter>[AB])",
        _operand,
    ),
    Statement(
        _SOURCE,
        _CITATION.format("make_smf_data, make_cdna3, make_fp8, make_fp8big"),
        Level.HW_RUN,
        rf"{_NAME}:index\.set0",
        _index,
    ),
)

"""Swizzles of tensor copies: where the bytes of a box lie in shared memory.

Rows of a box follow each other, as many bytes apart as the swizzle spans. A swizzle moves each byte
within its 1024 bytes; where to depends on the absolute address alone.
"""

from __future__ import annotations

from typing import Any

from lanemap.layout import LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

#: By name: bits of the address from bit 7 on that are XORed, and the bit from which on.
SWIZZLES = {
    "none": (0, 4), "32b": (1, 4), "64b": (3, 4), "128b": (7, 4), "128b_atom_32b": (3, 5),
    "128b_atom_64b": (1, 6),
}  # fmt: skip
_AXES = (("line", 8), ("unit", 8), ("byte", 16), ("bit", 8))
SHARED, LINEAR = Space("shared", _AXES), Space("linear", _AXES)


def swizzle_name(swizzle: str) -> str:
    """The variant of a swizzle."""
    return f"cp.async.bulk.tensor.swizzle_{swizzle}"


def _map(mask: int, shift: int) -> LayoutMap:
    def held(line: Any, unit: Any, byte: Any, bit: Any) -> dict[str, Any]:
        return {
            "line": line,
            "unit": unit ^ ((line & mask) << (shift - 4)),
            "byte": byte,
            "bit": bit,
        }

    return LayoutMap.from_function(SHARED, LINEAR, held)


def _variant(swizzle: str) -> Variant:
    mask, shift = SWIZZLES[swizzle]
    return Variant(
        name=swizzle_name(swizzle),
        targets=modeled("swizzle atomicity" if "atom" in swizzle else "bulk copies"),
        family="cp.async.bulk.tensor",
        formula=f"address ^ ((address >> 7) & {mask}) << {shift}" if mask else "the address itself",
        citations=(
            "NVIDIA PTX ISA, Tensors: Swizzling Modes",
            "NVIDIA CUDA driver API, CUtensorMapSwizzle",
        ),
        legality="a row of the box is no wider than the swizzle, whose width is the rows' distance",
        build=lambda: _map(mask, shift),
    )


def variants() -> list[Variant]:
    """Every swizzle of a tensor map that a source settles."""
    return [_variant(swizzle) for swizzle in SWIZZLES]

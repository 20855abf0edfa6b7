"""Claims of operands in shared memory: by hand, and against tensor-layouts' Swizzle."""

from __future__ import annotations

import pytest
from tensor_layouts import Swizzle

from lanemap.claims import claims_of
from lanemap.layout import LayoutMap

MODES = {"32b": (1, 4, 3), "64b": (2, 4, 3), "128b": (3, 4, 3), "128b_atom32b": (2, 5, 2)}


def said(variant: str) -> LayoutMap:
    (found,) = claims_of(variant)
    return found.map


@pytest.mark.parametrize(("mode", "parameters"), MODES.items())
def test_swizzles_are_those_of_tensor_layouts(mode: str, parameters: tuple[int, int, int]) -> None:
    layout, swizzle = said(f"shared.swizzle.{mode}"), Swizzle(*parameters)
    for address in range(1024):
        assert layout.source_of(byte=swizzle(address)) == {"byte": address}


def test_swizzles_by_hand() -> None:
    """Row 3 of 128 bytes: 16-byte unit 2 lies at unit 2 ^ 3 = 1; 32-byte unit 1 at 1 ^ 3 = 2."""
    assert said("shared.swizzle.128b").source_of(byte=384 + 16 + 5) == {"byte": 384 + 32 + 5}
    atom = said("shared.swizzle.128b_atom32b")
    assert atom.source_of(byte=384 + 64) == {"byte": 384 + 32}


def test_the_first_k_major_atom_by_hand() -> None:
    """Row 3, k 16 of 16 bits: byte 32 of its row, unit 2, which lies at unit 1."""
    layout = said("shared.k_major.128b.16bit")
    assert layout.source_of(byte=384 + 16, bit=0) == {"row": 3, "k": 16, "bit": 0}
    assert layout.source_of(byte=384 + 17, bit=7) == {"row": 3, "k": 16, "bit": 15}
    assert layout.destination.size == 8 * 1024


def test_the_first_mn_major_atom_by_hand() -> None:
    """k 5, row 9 of 32 bits and 64 bytes: byte 5 * 64 + 36, whose bits 7 and 8 are 0b10."""
    layout = said("shared.mn_major.64b.32bit")
    address = (5 * 64 + 36) ^ (0b10 << 4)
    assert layout.source_of(byte=address, bit=0) == {"row": 9, "k": 5, "bit": 0}


def test_without_swizzle_an_atom_is_eight_times_sixteen_bytes() -> None:
    layout = said("shared.k_major.none.8bit")
    assert layout.source_of(byte=16 * 5 + 11, bit=3) == {"row": 5, "k": 11, "bit": 3}

"""Shared-memory layouts: the swizzles as TMA users know them, and the canonical layouts in CuTe."""

from __future__ import annotations

import numpy as np
import pytest
from tensor_layouts import Layout, Swizzle

from lanemap.errors import UserError
from lanemap.model import variant
from lanemap.model.shared_layout import dense_tile, tile_map
from lanemap.model.shared_tiles import SWIZZLES, Tile, columns

# CuTe's swizzles on bytes (mma_sm100_desc.hpp): Swizzle<bits, base, shift>.
CUTE = {"32b": (1, 4, 3), "64b": (2, 4, 3), "128b": (3, 4, 3), "128b_atom32b": (2, 5, 2)}


@pytest.mark.parametrize("name", CUTE)
def test_swizzles_equal_cutes(name: str) -> None:
    oracle = Swizzle(*CUTE[name])
    byte = np.arange(2048)
    np.testing.assert_array_equal(SWIZZLES[name](byte), [oracle(int(b)) for b in byte])
    layout = variant(f"shared.swizzle.{name}").map
    np.testing.assert_array_equal(layout.table, SWIZZLES[name](np.arange(1024)))


def test_chunks_of_a_row_are_xored_with_the_row() -> None:
    # CU_TENSOR_MAP_SWIZZLE_128B: 16-byte chunk c of row r of 128 bytes lies at chunk c ^ (r % 8);
    # 64B: c ^ ((r / 2) % 4); 32B: c ^ ((r / 4) % 2).
    for name, width, row_of in (
        ("128b", 128, lambda r: r % 8),
        ("64b", 64, lambda r: r // 2 % 4),
        ("32b", 32, lambda r: r // 4 % 2),
    ):
        for row in range(16):
            for chunk in range(width // 16):
                there = SWIZZLES[name](row * width + 16 * chunk)
                assert there == row * width + 16 * (chunk ^ row_of(row))


def expected_k_major(tile: Tile, width: int) -> np.ndarray:
    """Canonical K-major layouts of the PTX ISA, in elements, evaluated by tensor-layouts."""
    unit = 128 // tile.bits
    stride = 8 * tile.stride_bytes // tile.bits
    leading = 8 * tile.leading_bytes // tile.bits
    if width == 16:
        layout = Layout(((8, tile.rows // 8), (unit, 2)), ((unit, stride), (1, leading)))
    else:
        per_row = 8 * width // tile.bits
        layout = Layout(((8, tile.rows // 8), (unit, width // 16)), ((per_row, stride), (1, unit)))
    flat = [layout(i) for i in range(tile.rows * tile.depth)]
    return np.array(flat).reshape(tile.depth, tile.rows).T


def expected_mn_major(tile: Tile, width: int) -> np.ndarray:
    unit = 128 // tile.bits
    stride = 8 * tile.stride_bytes // tile.bits
    leading = 8 * tile.leading_bytes // tile.bits
    spans = width // 16
    step = 4 if tile.swizzle == "128b_atom32b" else 8
    outer, groups = tile.rows // (unit * spans), tile.depth // step
    if width == 16:
        layout = Layout(((unit, 1, outer), (8, groups)), ((1, unit, stride), (unit, leading)))
    else:
        layout = Layout(
            ((unit, spans, outer), (step, groups)),
            ((1, unit, leading), (spans * unit, stride)),
        )
    flat = [layout(i) for i in range(tile.rows * tile.depth)]
    return np.array(flat).reshape(tile.depth, tile.rows).T


# 4-bit operands are K-major; the 32-byte atom is for MN-major tf32.
TILES = [
    *(
        ("k", swizzle, bits)
        for swizzle in ("none", "32b", "64b", "128b")
        for bits in (4, 8, 16, 32)
    ),
    *(("mn", swizzle, bits) for swizzle in ("none", "32b", "64b", "128b") for bits in (8, 16, 32)),
    ("mn", "128b_atom32b", 32),
]


@pytest.mark.parametrize(("major", "swizzle", "bits"), TILES)
def test_tiles_equal_the_canonical_layouts(major: str, swizzle: str, bits: int) -> None:
    tile = dense_tile(major, swizzle, bits)
    width = SWIZZLES[swizzle].width
    expected = expected_k_major(tile, width) if major == "k" else expected_mn_major(tile, width)
    row, k = np.meshgrid(np.arange(tile.rows), np.arange(tile.depth), indexing="ij")
    np.testing.assert_array_equal(tile.bit_offset(row, k) // bits, expected)
    layout = variant(f"shared.{major}_major.{swizzle}.{bits}bit").map
    oracle = Swizzle(*CUTE[swizzle]) if swizzle in CUTE else lambda byte: byte
    for r, c in ((0, 0), (3, 1), (tile.rows - 1, tile.depth - 1), (9, 5)):
        linear = int(expected[r, c]) * bits
        there = {"byte": oracle(linear // 8), "bit": linear % 8}
        assert layout.source_of(**there) == {"row": r, "k": c, "bit": 0}
    assert layout.is_total and layout.is_one_to_one


def test_the_swizzle_counts_from_address_zero() -> None:
    tile = dense_tile("k", "128b", 16)
    moved = tile_map(tile, base=1024)
    assert moved.first_difference(tile_map(tile)) is None
    # Half a period on, another row of the pattern applies: chunk 0 of row 0 lies at chunk 4.
    shifted = tile_map(Tile("k", "128b", 16, 8, 64, 16, 1024), base=512)
    assert shifted.source_of(byte=64, bit=0) == {"row": 0, "k": 0, "bit": 0}


def test_k_steps_of_32_bytes_stay_inside_the_atom() -> None:
    # Advancing the start address of a 128-byte swizzled operand by 32 bytes is the next 16
    # 16-bit k of every row: base + 32 swizzles as the tile's own bytes do.
    layout = variant("shared.k_major.128b.16bit").map
    for row in range(16):
        place = layout.destinations_of(row=row, k=16, bit=0)[0]["byte"]
        assert place == SWIZZLES["128b"](row * 128 + 32)


def test_offsets_that_collide_and_rows_that_are_too_wide_are_refused() -> None:
    with pytest.raises(UserError, match="two elements"):
        tile_map(Tile("k", "none", 16, 16, 16, 128, 128))
    with pytest.raises(UserError, match="64 bytes wide"):
        tile_map(Tile("k", "64b", 16, 16, 64, 16, 512))


@pytest.mark.parametrize("bits", [1, 4, 8, 16, 32])
@pytest.mark.parametrize(
    ("swizzle", "major"), [(s.name, m) for s in SWIZZLES.values() for m in s.majors]
)
def test_columns_add_up_to_the_place_of_every_element(swizzle: str, major: str, bits: int) -> None:
    found = columns(major, swizzle, bits, 8)
    row, k = np.indices((256, 256))
    for leading, stride in ((128, 256), (4096, 1024), (16, 48)):
        place = sum(
            (index >> bit & 1) * (each.bits + 8 * (each.leading * leading + each.stride * stride))
            for index, columns_of in ((row, found["row"]), (k, found["k"]))
            for bit, each in enumerate(columns_of)
        )
        expected = Tile(major, swizzle, bits, 256, 256, leading, stride).bit_offset(row, k)
        np.testing.assert_array_equal(place, expected)

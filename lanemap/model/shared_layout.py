"""Operands in shared memory: swizzles, and the canonical layouts that a descriptor describes.

A K-major or MN-major operand lies in atoms of 8 rows (4 for 32-byte atoms), placed by the leading
and the stride byte offsets; a swizzle then permutes 16-byte (32-byte) units by the address itself.
"""

from __future__ import annotations

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model.shared_tiles import SWIZZLES, Tile
from lanemap.model.variant import Variant
from lanemap.targets import modeled


def tile_map(tile: Tile, base: int = 0) -> LayoutMap:
    """Which element each byte of shared memory holds.

    Args:
        tile: The tile; with its offsets, no elements may overlap.
        base: Absolute address of the tile, a multiple of 16; the swizzle counts from address 0.

    Returns:
        "shared": byte from `base` on, bit 8; "matrix": row (m or n), k, bit.

    Raises:
        UserError: The offsets put two elements at one address, or a swizzled row is too wide.
    """
    chosen = SWIZZLES[tile.swizzle]
    if tile.major == "k" and chosen.mask and tile.depth * tile.bits > 8 * chosen.width:
        raise UserError(
            f"a {tile.swizzle} K-major atom is {chosen.width} bytes wide; K = {tile.depth} of "
            f"{tile.bits} bits is wider: use an atom for each {chosen.width} bytes"
        )
    matrix = Space("matrix", (("row", tile.rows), ("k", tile.depth), ("bit", tile.bits)))
    grid = matrix.grid()
    place = tile.bit_offset(grid["row"], grid["k"]) + grid["bit"]
    byte = chosen(place // 8 + base) - base
    size = -(-(int(byte.max()) + 1) // 128) * 128
    shared = Space("shared", (("byte", size), ("bit", 8)))
    there = LayoutMap(matrix, shared, 8 * byte + place % 8)
    if not there.is_one_to_one:
        raise UserError("the leading and stride byte offsets place two elements at one address")
    return there.inverse()


def swizzle_map(name: str, size: int = 1024) -> LayoutMap:
    """Where the bytes of a linear tile go: each byte of shared memory and the byte it holds."""
    chosen = SWIZZLES[name]
    shared, linear = Space("shared", (("byte", size),)), Space("linear", (("byte", size),))
    return LayoutMap.from_function(shared, linear, lambda byte: {"byte": chosen(byte)})


def dense_tile(major: str, swizzle: str, bits: int) -> Tile:
    """A tile of 64 rows (two atoms of the swizzle along M or N where that is more) without gaps."""
    unit, width = 128 // bits, SWIZZLES[swizzle].width
    if major == "k":
        if swizzle == "none":
            return Tile(major, swizzle, bits, 64, 2 * unit, 128, 256)
        return Tile(major, swizzle, bits, 64, 8 * width // bits, 16, 8 * width)
    if swizzle == "none":
        return Tile(major, swizzle, bits, 8 * unit, 16, 8 * 128, 128)
    step = 4 if swizzle == "128b_atom32b" else 8
    stride = step * width
    return Tile(major, swizzle, bits, 2 * 8 * width // bits, 2 * step, 2 * stride, stride)


_PTX = "NVIDIA PTX ISA, tcgen05: shared memory layout and swizzling, canonical layouts"
_CUT = "NVIDIA/cutlass at 7107b05, mma_sm100_desc.hpp and mma_traits_sm90_gmma.hpp, {}"
_FORMULAS = {
    ("k", False): "T = {t}: byte 16*(r%8) + SBO*(r/8) + LBO*(k/T) + bytes(k%T)",
    ("k", True): "byte {w}*(r%8) + SBO*(r/8) + bytes(k)",
    ("mn", False): "T = {t}: byte bytes(r%T) + SBO*(r/T) + 16*(k%8) + LBO*(k/8)",
    ("mn", True): "W = {p}: byte bytes(r%W) + LBO*(r/W) + {w}*(k%{s}) + SBO*(k/{s})",
}


def _targets(swizzle: str) -> tuple[str, ...]:
    """Targets whose descriptors of operands have a swizzle."""
    tcgen05 = modeled("tcgen05")
    return tcgen05 if swizzle == "128b_atom32b" else (*modeled("wgmma"), *tcgen05)


def _tile_variant(major: str, swizzle: str, bits: int) -> Variant:
    tile, chosen = dense_tile(major, swizzle, bits), SWIZZLES[swizzle]
    words = _FORMULAS[major, bool(chosen.mask)].format(
        t=tile.unit,
        w=chosen.width,
        p=8 * chosen.width // bits,
        s=4 if swizzle == "128b_atom32b" else 8,
    )
    here = f" (here {tile.rows} x {tile.depth}, LBO {tile.leading_bytes}, SBO {tile.stride_bytes})"
    swizzled = f"; then {chosen.formula}" if chosen.mask else ""
    return Variant(
        name=f"shared.{major}_major.{swizzle}.{bits}bit",
        targets=_targets(swizzle),
        family="operand in shared memory",
        formula=words + swizzled + here,
        citations=(_PTX, _CUT.format("canonical layouts")),
        legality="addresses, LBO and SBO multiples of 16 bytes; atoms aligned to 8 of their rows",
        build=lambda: tile_map(tile),
    )


def _swizzle_variant(name: str) -> Variant:
    return Variant(
        name=f"shared.swizzle.{name}",
        targets=_targets(name),
        family="shared-memory swizzle",
        formula=SWIZZLES[name].formula,
        citations=(_PTX, "NVIDIA CUDA driver API, CUtensorMapSwizzle"),
        legality="the absolute address counts; one period is 1024 bytes",
        build=lambda: swizzle_map(name),
    )


def variants() -> list[Variant]:
    """The swizzles, and dense tiles of both majors for each swizzle and width."""
    found = [_swizzle_variant(name) for name in SWIZZLES if name != "none"]
    for swizzle, chosen in SWIZZLES.items():
        widths = (32,) if swizzle == "128b_atom32b" else (4, 8, 16, 32)
        for bits in widths:
            if "k" in chosen.majors:
                found.append(_tile_variant("k", swizzle, bits))
            if bits > 4:
                found.append(_tile_variant("mn", swizzle, bits))
    return found

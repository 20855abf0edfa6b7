"""Scales of FP8 matrices: one f32 for 128 elements of a row of A, and for 128 x 128 of B."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lanemap.benching.arrays import steps, whole
from lanemap.benching.gemm.problem import Problem, type_name
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout
from lanemap.errors import UserError

#: Elements of k, and rows of B, that have one scale.
BLOCK = 128
#: The type of elements that have such scales.
ELEMENT = "float8_e4m3fn"
#: Columns that a consumer multiplies at a time of a tile of more than 128: there are registers for
#: the sums of two such parts, so that one is added while the next one is multiplied.
PART = 64
#: Tiles for sm_90a, each alone: CTAs that share B's stages wait for each other's additions. Those
#: of at most 128 columns have one part, and add a stage while the next one is multiplied.
HOPPER_TILES = (
    Tiling(columns=256, stages=4, cluster_m=1),
    Tiling(columns=128, stages=6, cluster_m=1),
    Tiling(columns=64, stages=8, cluster_m=1),
    Tiling(columns=128, stages=8, cluster_m=1, consumers=1),
    Tiling(columns=64, stages=8, cluster_m=1, consumers=1),
)
#: Microseconds, fitted to the times of 13 products by each of these tiles on an H200: of a launch,
#: of a stage by columns and consumers, and of the end of the largest tile. That of the largest one
#: is of parts of 128 columns: parts of 64 took 0.82 of it in turns of one run and no less in those
#: of another, where 0.69 chose that tile for 128 rows, which cost a quarter.
_LAUNCH, _END = 2.5, 1.6
_STAGE = {(256, 2): 0.837, (128, 2): 0.450, (64, 2): 0.327, (128, 1): 0.277, (64, 1): 0.220}
_LARGEST_TILE = 128 * 256
#: Strides of scales are numbers of 32 bits.
_MOST_STRIDE = (1 << 32) - 1


@dataclass(frozen=True)
class Scales:
    """Scales of A or B on a device.

    Attributes:
        array: f32: of A (M, ceil(K / 128)), of B (ceil(N / 128), ceil(K / 128)).
        strides: Elements from one row and one column to the next.
        group: Elements from one group's scales to the next, where groups have scales of their own.
    """

    array: Any
    strides: tuple[int, int]
    group: int = 0


def check_scales(
    scales: Mapping[str, Any], wanted: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """Check a caller's a_scales and b_scales, which must have these shapes.

    Raises:
        UserError: they have another type or shape.
    """
    for (name, array), shape in zip(scales.items(), wanted, strict=True):
        found = tuple(int(size) for size in array.shape)
        if type_name(array) != "float32" or found != shape:
            per = "128 elements of a row" if name == "a_scales" else "128 x 128 elements"
            raise UserError(
                f"{name} is {type_name(array)} of {found}; it must be float32 of {shape}, one for "
                f"{per}"
            )


def scales_on(device: Any, array: Any, name: str) -> Scales:
    """Return a caller's scales on a device; they may lie in rows or in columns."""
    *outer, row, column = (step // 4 for step in steps(array))
    return Scales(whole(device, array, name), (row, column), *outer)


def scales_in(array: Any) -> Scales:
    """Return the scales of a contiguous array of a device: a matrix, or one of each group."""
    *outer, rows, columns = array.shape
    return Scales(array, (columns, 1), rows * columns if outer else 0)


def packed(scales: tuple[Scales, Scales], rows: int, columns: int) -> bytes:
    """Return `Scales` of block_scales.h, for so many rows of A and rows of B.

    The first 16 bytes are the addresses.

    Raises:
        UserError: they lie too far apart.
    """
    a, b = scales
    for name, strides in (("a_scales", a.strides), ("b_scales", b.strides)):
        if not all(0 <= each <= _MOST_STRIDE for each in strides):
            raise UserError(f"{name} has strides {strides}; strides of 0 to 2^32 are supported")
    return struct.pack(
        "<QQ6I", a.array.pointer().address, b.array.pointer().address, *a.strides, *b.strides,
        rows, -(-columns // BLOCK),
    )  # fmt: skip


def microseconds(tiling: Tiling, turns: float, ends: int, stages: int) -> float:
    """Estimate the time of a CTA's tiles, with its launch.

    Args:
        tiling: One of `HOPPER_TILES`.
        turns: Tiles that the CTA multiplies.
        ends: How often it stores a tile.
        stages: Of a tile.
    """
    tile = tiling.rows * tiling.columns / _LARGEST_TILE
    return _LAUNCH + turns * stages * _STAGE[tiling.columns, tiling.consumers] + ends * tile * _END


def hopper_layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sources with hopper_scaled.h use."""
    return [
        Layout(f"wgmma.m64n{tiling.part(problem, PART)}.f32:D", "part", "word"),
        Layout(D_OF_256, "d", "word"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout("shared.k_major.128b.8bit", "operand", inverse=True),
    ]

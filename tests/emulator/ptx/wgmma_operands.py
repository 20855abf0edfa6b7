"""Operands of wgmma for tests: codes, places in shared memory, registers; written from CUTLASS.

Layouts: NVIDIA/cutlass, mma_traits_sm90_gmma.hpp, make_gmma_desc and the fragments CLayout_64xN and
ALayout_64xK; the swizzles are those of cute/swizzle.hpp, on absolute addresses. The base offset is
as an H200 reads it: the number of the 128-byte row with which the pattern begins.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from lanemap.probing.wgmma.kernel import BITS, Form, source

WIDTH, MASK = {0: 16, 1: 128, 2: 64, 3: 32}, {0: 0, 1: 7, 2: 3, 3: 1}
_DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn,
           "e5m2": ml_dtypes.float8_e5m2, "s8": np.int8, "u8": np.uint8,
           "tf32": np.float32}  # fmt: skip
Array = NDArray[Any]
_THREAD = np.arange(128)
_WARP, _LANE = _THREAD // 32, _THREAD % 32


def codes(kind: str, values: Array) -> Array:
    """Values as unsigned integers of the element's width; bits of b1 as bytes 0 and 1."""
    if kind == "b1":
        return values.astype(np.uint8)
    return values.astype(_DTYPES[kind]).view(f"u{np.dtype(_DTYPES[kind]).itemsize}")


def bit_place(
    swizzle: int,
    mn: bool,
    bits: int,
    line: Array,
    k: Array,
    start: int,
    leading: int,
    stride: int,
    base: int = 0,
) -> Array:
    """The bit of shared memory where an element lies."""
    unit, width = 128 // bits, 8 * WIDTH[swizzle]
    if not mn and swizzle == 0:
        linear = line % 8 * 128 + line // 8 * stride * 8 + k // unit * leading * 8 + k % unit * bits
    elif not mn:
        linear = line % 8 * width + line // 8 * stride * 8 + k * bits
    else:
        across = width // bits
        outer, inner = (stride, leading) if swizzle == 0 else (leading, stride)
        linear = line % across * bits + line // across * outer * 8
        linear = linear + k % 8 * width + k // 8 * inner * 8
    linear = linear + 8 * start
    byte = linear // 8
    return (byte ^ (((byte >> 7) - base) & MASK[swizzle]) << 4) * 8 + linear % 8


def put(image: Array, bits: int, places: Array, values: Array) -> None:
    """Store codes at places of an image, uint8[bytes]."""
    if bits == 1:
        single = np.unpackbits(image, bitorder="little")
        single[places.reshape(-1)] = values.reshape(-1)
        image[:] = np.packbits(single, bitorder="little")
        return
    image.view(f"u{bits // 8}")[(places // bits).reshape(-1)] = values.reshape(-1)


def descriptor(start: int, leading: int, stride: int, swizzle: int, base: int = 0) -> int:
    """The 64-bit descriptor."""
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | swizzle << 62


def offsets(swizzle: int, mn: bool, bits: int, lines: int, depth: int) -> tuple[int, int]:
    """LBO and SBO of a layout without overlap."""
    if not mn:
        return (128, 128 * (depth * bits // 128)) if swizzle == 0 else (16, 8 * WIDTH[swizzle])
    if swizzle == 0:
        return 128 * max(1, lines * bits // 128), 128
    return depth * WIDTH[swizzle], 8 * WIDTH[swizzle]


def a_registers(kind: str, values: Array) -> Array:
    """uint32[128, 5] of a matrix of codes; the last is free for metadata."""
    bits = BITS[kind]
    unit = 32 // bits
    found = np.zeros((128, 5), np.uint64)
    for register in range(4):
        for e in range(unit):
            row = 16 * _WARP + _LANE // 4 + 8 * (register % 2)
            k = unit * (_LANE % 4) + e + 4 * unit * (register // 2)
            found[:, register] |= values[row, k].astype(np.uint64) << np.uint64(bits * e)
    return found.astype(np.uint32)


def _places_of_d(n: int) -> tuple[Array, Array]:
    i = np.arange(n // 2)[None]
    row = (16 * _WARP + _LANE // 4)[:, None] + 8 * (i // 2 % 2)
    return row, 8 * (i // 4) + 2 * (_LANE % 4)[:, None] + i % 2


def d_registers(form: Form, matrix: Array) -> Array:
    """uint32[128, registers] of a 64 x N matrix of values."""
    kinds = {"f32": np.float32, "f16": np.float16, "s32": np.int32}
    held = np.ascontiguousarray(matrix[_places_of_d(form.n)].astype(kinds[form.d]))
    return held.view(np.uint32)


def d_matrix(form: Form, registers: Array) -> Array:
    """The 64 x N matrix of values in uint32[128, registers]."""
    kinds = {"f32": np.float32, "f16": np.float16, "s32": np.int32}
    found = np.zeros((64, form.n))
    found[_places_of_d(form.n)] = np.ascontiguousarray(registers).view(kinds[form.d])
    return found


def launch(
    device: Any,
    form: Form,
    image: Array,
    descriptors: tuple[int, int],
    a: Array,
    c: Array,
    adds: bool = True,
    text: str = "",
) -> Array:
    """D of one multiplication, uint32[128, registers]; `text`: of another kernel of that name."""
    d = device.zeros((1, 128, form.d_registers), np.uint32)
    device.load(text or source([form]))[form.name](
        (1, 1, 1),
        (128, 1, 1),
        [
            device.array(image),
            device.array(np.array(descriptors, np.uint64)),
            device.array(a),
            device.array(c),
            d,
            np.uint32(image.size),
            np.uint32(1),
            np.uint32(adds),
        ],
        shared_bytes=image.size,
    )
    return d.get()[0]

"""Elements of operands for probes of wgmma: exact small integers, and where they are stored.

Operands are named by one reference layout, which a probe may compare with others: K-major without a
swizzle, in blocks of 8 rows of 16 bytes, the blocks of one row 128 bytes apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.probing.tags import digits as tag_digits
from lanemap.probing.wgmma.kernel import BITS

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
#: Integers from 0 to one less than these are exact in a type, and so are their products with 1.
BASE = {"f16": 1024, "bf16": 256, "tf32": 1024, "e4m3": 16, "e5m2": 8, "s8": 128, "u8": 256,
        "b1": 2, "e2m3": 8, "e3m2": 8, "e2m1": 4}  # fmt: skip
#: Exponent bias and mantissa bits.
_FLOATS = {"f16": (15, 10), "bf16": (127, 7), "tf32": (127, 23), "e4m3": (7, 3), "e5m2": (15, 2),
           "e2m3": (1, 3), "e3m2": (3, 2), "e2m1": (1, 1)}  # fmt: skip
#: Widths of elements; wgmma has none of 4 and 6 bits.
WIDTHS = BITS | {"e2m3": 6, "e3m2": 6, "e2m1": 4}
BLOCK_BYTES = 128


def positions(shape: tuple[int, ...]) -> tuple[Integers, Integers]:
    """Line and k of every element of a matrix of that shape."""
    grid = np.indices(shape[:2], dtype=np.int64)
    return grid[0], grid[1]


def codes(kind: str, values: Any) -> Integers:
    """Small non-negative integers as codes of a type."""
    given = np.asarray(values, np.int64)
    if kind not in _FLOATS:
        return given
    bias, mantissa = _FLOATS[kind]
    power = np.floor(np.log2(np.maximum(given, 1))).astype(np.int64)
    fraction = (given - (1 << power)) * 2.0 ** (mantissa - power)
    return np.where(given > 0, (power + bias << mantissa) + fraction.astype(np.int64), 0)


def value(kind: str, code: Integers) -> NDArray[np.float64]:
    """Values of codes of a type that has neither infinities nor NaN: e2m3, e3m2 or e2m1."""
    bias, mantissa = _FLOATS[kind]
    sign, power = (
        code >> WIDTHS[kind] - 1,
        code >> mantissa & (1 << WIDTHS[kind] - 1 - mantissa) - 1,
    )
    fraction = (code & (1 << mantissa) - 1) / (1 << mantissa)
    size = np.where(power > 0, (1 + fraction) * 2.0 ** (power - bias), fraction * 2.0 ** (1 - bias))
    return np.where(sign, -size, size)


def whole(kind: str, words: NDArray[Any]) -> Integers:
    """Results of type f32, f16 or s32 as whole numbers; -1 for what is none.

    Args:
        kind: Their type.
        words: Unsigned integers of the type's width.
    """
    dtype = {"f32": np.float32, "f16": np.float16, "s32": np.int32}[kind]
    held = words.view(dtype).astype(np.float64)
    found = np.where(np.isfinite(held), held, -1)
    return np.where((found >= 0) & (found == np.floor(found)), found, -1).astype(np.int64)


def results(kind: str, registers: NDArray[np.uint32]) -> Integers:
    """D's registers as whole numbers, one for each element; -1 for what is none.

    Args:
        kind: Type of D.
        registers: uint32[.., register].

    Returns:
        int64[.., register, element in it].
    """
    width = np.uint16 if kind == "f16" else np.uint32
    return whole(kind, np.ascontiguousarray(registers)[..., None].view(width))


def passes_of(kind: str, count: int) -> int:
    """Digits in which `count` different tags fit into elements of a type."""
    passes, base = 1, BASE[kind]
    while base**passes < count:
        passes += 1
    return passes


def digits(kind: str, tags: Integers) -> list[Integers]:
    """Tags as one digit for each product, the lowest first and the check digit last."""
    return tag_digits.split(tags, BASE[kind], passes_of(kind, int(tags.max()) + 1))


def joined(kind: str, shown: list[Integers]) -> Integers:
    """Digits that were read as tags; -1 where they are not those of one tag."""
    return tag_digits.joined(shown, BASE[kind])


def stride_of(kind: str, depth: int) -> int:
    """Bytes from 8 rows to the next in the reference layout, without gaps."""
    return BLOCK_BYTES * (depth * WIDTHS[kind] // 128)


def reference(kind: str, line: Integers, k: Integers, start: int, stride: int) -> Integers:
    """The bit where the reference layout has an element."""
    bits = WIDTHS[kind]
    unit = 128 // bits
    byte = start + stride * (line // 8) + BLOCK_BYTES * (k // unit) + 16 * (line % 8)
    return 8 * byte + k % unit * bits


def reference_descriptor(start: int, stride: int) -> int:
    """The descriptor of the reference layout."""
    return start >> 4 | BLOCK_BYTES >> 4 << 16 | stride >> 4 << 32


def store(image: Bytes, kind: str, places: Integers, values: Integers) -> None:
    """Put codes at bits of an image."""
    bits = WIDTHS[kind]
    if bits < 8:
        single = np.unpackbits(image, bitorder="little")
        for bit in range(bits):
            single[places.reshape(-1) + bit] = values.reshape(-1) >> bit & 1
        image[:] = np.packbits(single, bitorder="little")
        return
    image.view(f"u{bits // 8}")[(places // bits).reshape(-1)] = values.reshape(-1)


def operand(image: Bytes, kind: str, matrix: Integers, start: int, stride: int = 0) -> int:
    """Store a matrix [line, k] of small integers in the reference layout; return its descriptor.

    Args:
        image: Where to.
        kind: The elements' type.
        matrix: The integers.
        start: The first byte.
        stride: Bytes from 8 rows to the next; 0 for no gaps.
    """
    line, k = positions(matrix.shape)
    stride = stride or stride_of(kind, matrix.shape[1])
    store(image, kind, reference(kind, line, k, start, stride), codes(kind, matrix))
    return reference_descriptor(start, stride)

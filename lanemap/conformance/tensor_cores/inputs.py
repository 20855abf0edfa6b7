"""Operands for dot products, from a kind and the number of a chunk alone.

Random words come from a counter and a hash, and everything else is integer arithmetic or single
operations of f64, so that the same chunk has the same bits on every machine.
"""

from __future__ import annotations

import hashlib
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes, Format, Kind

#: Dot products of one chunk.
CHUNK = 1 << 16
# How the elements of a line are chosen, and how often of 16.
_UNIFORM, _WINDOW, _WIDE, _LOW, _ONE_HUGE, _POWERS, _SPARSE, _SPECIAL, _PROBE, _ONES, _LEVEL = (
    range(11)
)
_LINES = np.array([_UNIFORM, _WINDOW, _WINDOW, _WIDE, _LOW, _ONE_HUGE, _ONE_HUGE, _POWERS, _SPARSE,
                   _SPARSE, _SPECIAL, _PROBE, _PROBE, _ONES, _ONES, _LEVEL])  # fmt: skip


class Words:
    """A stream of random words: splitmix64 of a counter (Steele et al., OOPSLA 2014)."""

    def __init__(self, name: str) -> None:
        """Begin the stream of a name."""
        self.state = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")

    def take(self, *shape: int) -> npt.NDArray[np.uint64]:
        """Uniform words of 64 bits."""
        count = int(np.prod(shape))
        with np.errstate(over="ignore"):
            z = np.uint64(self.state) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
                0x9E3779B97F4A7C15
            )
            self.state = (self.state + count * 0x9E3779B97F4A7C15) % 2**64
            z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return np.asarray((z ^ z >> np.uint64(31)).reshape(shape))

    def below(self, bound: int, *shape: int) -> npt.NDArray[np.int64]:
        """Integers from 0 to bound - 1."""
        words = (self.take(*shape) >> np.uint64(20)) % np.uint64(bound)
        return np.asarray(words.astype(np.int64))


def decoded(codes: Codes, name: str) -> npt.NDArray[np.float64]:
    """The values of codes of a type of floating point; low bits of tf32 are ignored."""
    dtype: Any = {
        "f64": np.float64,
        "f16": np.float16,
        "e4m3": ml_dtypes.float8_e4m3fn,
        "e5m2": ml_dtypes.float8_e5m2,
    }.get(name, np.float32)
    if name == "tf32":
        codes = codes & np.uint32(0xFFFFE000)
    if name == "bf16":
        codes = codes.astype(np.uint32) << np.uint32(16)
    with np.errstate(invalid="ignore"):
        return np.asarray(codes.view(dtype).astype(np.float64))


def _assembled(f: Format, sign: Any, field: Any, mantissa: Any) -> npt.NDArray[np.uint64]:
    """Codes of finite numbers; a field out of range is brought to its end."""
    field = np.clip(field, 0, f.largest).astype(np.uint64)
    sign, mantissa = np.asarray(sign, np.uint64), np.asarray(mantissa, np.uint64)
    code = sign << np.uint64(f.bits - 1) | field << np.uint64(f.mantissa) | mantissa
    if not f.infinite:  # all ones is NaN
        ones = np.uint64((1 << (f.bits - 1)) - 1)
        code = np.where(code & ones == ones, code - np.uint64(1), code)
    return np.asarray(code)


def _specials(f: Format) -> npt.NDArray[np.uint64]:
    """NaN, infinities, the largest and the smallest numbers, both zeros."""
    sign, top = 1 << (f.bits - 1), (1 << (f.exponent + f.mantissa)) - 1
    exponent = ((1 << f.exponent) - 1) << f.mantissa
    every = [top, 1, 0, sign, sign | 1, f.largest << f.mantissa, 1 << f.mantissa]
    if f.infinite:
        every += [exponent, sign | exponent, exponent | 1, exponent - 1]
    return np.array(every, np.uint64)


def _float_lines(
    words: Words, f: Format, lines: int, depth: int, center: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """Lines of floating point around an exponent field of each line: [line, k]."""
    regime = _LINES[words.below(16, lines, 1)]
    random = words.take(lines, depth)
    sign = random >> np.uint64(63)
    mantissa = random & np.uint64((1 << f.mantissa) - 1)
    other = words.below(1 << 40, lines, depth)
    at = center[:, None]
    field = at + other % 5 - 2
    field = np.where(regime == _WIDE, other % (f.largest + 1), field)
    field = np.where(regime == _LOW, np.maximum(other % 16 - 11, 0), field)
    field = np.where(regime == _LEVEL, at, field)
    field = np.where(regime == _ONES, at, field)
    field = np.where(regime == _POWERS, at + other % 9 - 4, field)
    first, second = words.below(depth, lines, 1), words.below(depth, lines, 1)
    k = np.arange(depth)
    span = min(1 << (f.exponent - 1), 32)
    huge = at + np.where(k == first, span // 2, span // 2 - 4 - other % span)
    field = np.where(regime == _ONE_HUGE, huge, field)
    pair = (k == first) | (k == second)
    step = words.below(span, lines, 1)
    field = np.where(regime == _PROBE, at + span // 2 - np.where(pair, 0, step), field)
    simple = (regime == _POWERS) | (regime == _ONES) | (regime == _PROBE)
    mantissa = np.where(simple, np.uint64(0), mantissa)
    level = (regime == _ONES) | ((regime == _PROBE) & ~pair)
    sign = np.where(level, random[:, :1] >> np.uint64(63), sign)
    sign = np.where((regime == _PROBE) & pair, (k == first) ^ sign[:, :1], sign)
    code = _assembled(f, sign, field, mantissa)
    code = np.where(regime == _UNIFORM, random >> np.uint64(64 - f.bits), code)
    keep = np.where(regime == _SPARSE, other >> 20 & 3, 1) == 0
    code = np.where((regime == _SPARSE) & ~keep, code & np.uint64(1 << (f.bits - 1)), code)
    few = _specials(f)
    special = (regime == _SPECIAL) & ((other >> 20) % (2 * depth) == 0)
    return np.where(special, few[(other >> 30) % len(few)], code)


def _paired(
    words: Words, a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], sign: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Make products cancel in pairs in a quarter of the tiles; a, b: [tile, line, k]."""
    tiles, _, depth = a.shape
    distance = 1 << words.below(int(depth).bit_length() - 1, tiles, 1, 1)
    chosen = (words.below(4, tiles, 1, 1) == 0) & (np.arange(depth) & distance != 0)
    partner = np.arange(depth) ^ distance
    near = words.below(2, *a.shape).astype(np.uint64)
    copy = np.take_along_axis(a, np.broadcast_to(partner, a.shape), 2) ^ np.uint64(sign) ^ near
    return (
        np.where(chosen, copy, a),
        np.where(chosen, np.take_along_axis(b, np.broadcast_to(partner, b.shape), 2), b),
    )


def _exponents(words: Words, kind: Kind, tiles: int) -> npt.NDArray[np.int64]:
    """The exponent around which the products of each tile lie."""
    f = FORMATS[kind.d]
    low, high = 1 - f.bias, f.largest - f.bias
    choice = words.below(16, tiles)
    near = words.below(9, tiles) - 4
    wide = words.below(high - low + 24, tiles) + low - 16
    around = np.where(choice < 8, near, np.where(choice < 11, low + 2 * near, high - 4 + near))
    return np.where(choice < 13, around, wide)


def _sums(kind: Kind, a: Codes, b: Codes) -> npt.NDArray[np.float64]:
    """Dot products in f64, in the order of k: [tile, row, column]; 0 where not finite."""
    left, right = decoded(a, kind.a), decoded(b, kind.b)
    total = np.zeros((len(a), a.shape[1], b.shape[1]))
    with np.errstate(invalid="ignore", over="ignore"):
        for k in range(kind.depth):
            total += left[:, :, None, k] * right[:, None, :, k]
    return np.where(np.isfinite(total), total, 0)


def _float_addends(
    words: Words, kind: Kind, sums: npt.NDArray[np.float64], exponents: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """C: zeros, numbers near the sum, near its negative, near a product, small, any."""
    f = FORMATS[kind.c]
    shape = sums.shape
    choice = words.below(20, *shape)
    random, other = words.take(*shape), words.below(1 << 40, *shape)
    sign = random >> np.uint64(63)
    mantissa = random & np.uint64((1 << f.mantissa) - 1)
    magnitude = np.frexp(sums)[1].astype(np.int64) - 1 + f.bias
    code = _assembled(f, sign, magnitude + other % 9 - 4, mantissa)
    with np.errstate(over="ignore"):
        value = (-sums).astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[kind.c])
    negative = value.view(f.dtype).astype(np.uint64)
    ones = np.uint64((1 << f.bits) - 1)
    negative = (negative + (other % 5).astype(np.uint64) - np.uint64(2)) & ones
    code = np.where(choice >= 8, negative, code)
    around = exponents[:, None, None] + f.bias + other % 64 - 40
    code = np.where(choice >= 12, _assembled(f, sign, around, mantissa), code)
    power = _assembled(f, sign, around + 8, 0)
    code = np.where(choice >= 16, power, code)
    code = np.where(choice == 18, _assembled(f, sign, other % 3, mantissa), code)
    code = np.where(choice == 19, random >> np.uint64(64 - f.bits), code)
    return np.where(choice < 4, sign << np.uint64(f.bits - 1), code)


def _integers(words: Words, kind: Kind, tiles: int) -> tuple[Codes, Codes, Codes]:
    """Operands of integers: any, largest and smallest, few ones; C near the ends half the time."""
    operands = []
    for name, lines in ((kind.a, kind.rows), (kind.b, kind.columns)):
        bits = FORMATS[name].bits
        word = words.take(tiles, lines, kind.depth)
        random = word >> np.uint64(64 - bits)
        ends = np.array([0, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << bits) - 1], np.uint64)
        extreme = ends[words.below(4, tiles, lines, 1)]
        dense = (word & np.uint64(15)).astype(np.int64) >= words.below(16, tiles, lines, 1)
        choice = words.below(4, tiles, lines, 1)
        code = np.where(choice == 0, np.where(dense, extreme, random), random)
        operands.append(np.where((choice == 1) & dense, np.uint64(0), code).astype(np.uint8))
    shape = (tiles, kind.rows, kind.columns)
    near = np.array([0, 1 << 31, (1 << 31) - 1], np.uint64)[words.below(3, *shape)]
    near = near + words.below(1 << 21, *shape).astype(np.uint64) - np.uint64(1 << 20)
    c = np.where(words.below(2, *shape) == 0, near, words.take(*shape)) & np.uint64(0xFFFFFFFF)
    return operands[0], operands[1], c.astype(np.uint32)


def chunk(kind: Kind, number: int) -> tuple[Codes, Codes, Codes]:
    """Operands of CHUNK dot products.

    Returns:
        A [tile, row, k], B [tile, column, k] and C [tile, row, column]; for a kind with several
        products to an instruction, each product is a tile.
    """
    words = Words(f"{kind.name} {number}")
    tiles = CHUNK // (kind.rows * kind.columns)
    if not FORMATS[kind.a].exponent:
        return _integers(words, kind, tiles)
    exponents = _exponents(words, kind, tiles)
    left, right = FORMATS[kind.a], FORMATS[kind.b]
    first = np.clip(exponents // 2 + words.below(17, tiles) - 8 + left.bias, 1, left.largest)
    second = exponents - (first - left.bias) + right.bias
    a = _float_lines(words, left, tiles * kind.rows, kind.depth, np.repeat(first, kind.rows))
    b = _float_lines(
        words, right, tiles * kind.columns, kind.depth, np.repeat(second, kind.columns)
    )
    a, b = _paired(
        words,
        a.reshape(tiles, kind.rows, -1),
        b.reshape(tiles, kind.columns, -1),
        1 << (left.bits - 1),
    )
    lines, columns = a.astype(left.dtype), b.astype(right.dtype)
    c = _float_addends(words, kind, _sums(kind, lines, columns), exponents)
    return lines, columns, c.astype(FORMATS[kind.c].dtype)

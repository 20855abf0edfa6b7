"""The kinds of matrix instructions whose sums are asked for: shapes, types and where operands lie.

The places of elements are those of the NVIDIA PTX ISA, "Matrix fragments for mma" and
"Asynchronous warpgroup level matrix shared memory layout" (no swizzle, K major).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.unsignedinteger]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Format:
    """One type of elements.

    Attributes:
        bits: Width.
        exponent: Bits of the exponent; 0 for integers.
        mantissa: Bits of the mantissa that lie in the code.
        infinite: Whether the largest exponent is that of infinities and NaN.
    """

    bits: int
    exponent: int = 0
    mantissa: int = 0
    infinite: bool = True

    @property
    def bias(self) -> int:
        """Bias of the exponent."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def largest(self) -> int:
        """The largest exponent field of a finite number."""
        return (1 << self.exponent) - (2 if self.infinite else 1)

    @property
    def dtype(self) -> type[np.unsignedinteger]:
        """The unsigned integer that holds a code."""
        return {64: np.uint64, 32: np.uint32, 16: np.uint16}.get(self.bits, np.uint8)


FORMATS = {
    "f64": Format(64, 11, 52), "f32": Format(32, 8, 23), "tf32": Format(32, 8, 23),
    "f16": Format(16, 5, 10), "bf16": Format(16, 8, 7), "e5m2": Format(8, 5, 2),
    "e4m3": Format(8, 4, 3, infinite=False), "s8": Format(8), "u8": Format(8), "s4": Format(4),
    "u4": Format(4), "b1": Format(1), "s32": Format(32),
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One dense instruction.

    Attributes:
        family: "mma.sync" or "wgmma".
        rows: M.
        columns: N.
        depth: K.
        a: Type of A; `b`, `c` and `d` likewise.
        modifier: "", "satfinite", "and.popc" or "xor.popc".
        form: For wgmma, "" with A and B in shared memory, "registers" for A there, "negated"
            for -A x B, "fresh" for no addend.
    """

    family: str
    rows: int
    columns: int
    depth: int
    d: str
    a: str
    b: str
    c: str
    modifier: str = ""
    form: str = ""

    @property
    def shape(self) -> str:
        """The name that PTX gives it."""
        return f"m{self.rows}n{self.columns}k{self.depth}"

    @property
    def name(self) -> str:
        """Family, shape, types of D, A, B and (of mma.sync) C, modifier, form."""
        types = (self.d, self.a, self.b) + ((self.c,) if self.family == "mma.sync" else ())
        further = filter(None, (self.modifier, self.form))
        return ".".join((self.family, self.shape, *types, *further))

    @property
    def products(self) -> int:
        """How many products one instruction makes: mma.sync.m8n8k4 with f16 makes four."""
        return 4 if self.a == "f16" and self.depth == 4 else 1

    @property
    def threads(self) -> int:
        """How many threads execute one instruction."""
        return 128 if self.family == "wgmma" else 32

    @property
    def dots(self) -> int:
        """How many dot products one instruction makes."""
        return self.products * self.rows * self.columns

    def places(self, operand: str) -> Places:
        """Which element of a matrix each element of the registers is.

        Args:
            operand: "a", "b", "c" or "d".

        Returns:
            [thread, element]: product * size + line * K + k for A and B, whose lines are rows and
            columns; product * size + row * N + column for C and D. For A and B of wgmma, which lie
            in shared memory, there is one "thread".
        """
        if self.products == 4:
            return self._quad_places(operand)
        if operand in "cd":
            return self._result_places()
        lines = self.rows if operand == "a" else self.columns
        bits = FORMATS[self.a if operand == "a" else self.b].bits
        if self.form == "registers" and operand == "a":
            thread, i = np.ogrid[:128, : self.depth // 2]
            unit, lane = 32 // bits, thread % 32
            row = 16 * (thread // 32) + lane // 4 + 8 * (i // unit % 2)
            k = unit * (lane % 4) + i % unit + 4 * unit * (i // unit // 2)
            return np.asarray(row * self.depth + k)
        if self.family == "wgmma":
            group, half, row, k = np.indices((lines // 8, 2, 8, 128 // bits))
            places = (group * 8 + row) * self.depth + half * (128 // bits) + k
            return np.asarray(places).reshape(1, -1)
        unit, halves = max(1, 32 // bits), lines // 8
        lane, i = np.ogrid[:32, : lines * self.depth // 32]
        group = i // unit
        k = unit * (lane % 4) + i % unit + 4 * unit * (group // halves)
        return np.asarray((lane // 4 + 8 * (group % halves)) * self.depth + k)

    def _result_places(self) -> Places:
        thread, i = np.ogrid[: self.threads, : self.dots // self.threads]
        lane = thread % 32
        row = 16 * (thread // 32) + lane // 4 + 8 * (i // 2 % 2)
        return np.asarray(row * self.columns + 8 * (i // 4) + 2 * (lane % 4) + i % 2)

    def _quad_places(self, operand: str) -> Places:
        lane, i = np.ogrid[:32, : 8 if operand in "cd" else 4]
        product, high = lane // 4 % 4, 4 * (lane // 16)
        if operand in "ab":
            return np.asarray(product * 32 + (lane % 4 + high) * 4 + i)
        row, column = lane % 4 + high + 0 * i, i + 0 * lane
        if (self.c if operand == "c" else self.d) == "f32":
            row, column = lane % 2 + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)
        return np.asarray(product * 64 + row * 8 + column)


def pack(codes: Codes, places: Places, bits: int) -> npt.NDArray[np.uint32]:
    """Registers from matrices.

    Args:
        codes: [tile, ..]: the elements of each tile.
        places: As `Kind.places` gives them.
        bits: Width of an element.

    Returns:
        [tile, word, thread].
    """
    taken = codes.reshape(len(codes), -1)[:, places]
    if bits < 8:
        shape = (*taken.shape[:2], -1, 32 // bits)
        shifts = np.arange(0, 32, bits, dtype=np.uint32)
        words = np.bitwise_or.reduce(taken.reshape(shape).astype(np.uint32) << shifts, axis=-1)
    else:
        words = np.ascontiguousarray(taken).view(np.uint32)
    return np.ascontiguousarray(words.transpose(0, 2, 1))


def unpack(words: npt.NDArray[np.uint32], places: Places, dtype: type[np.unsignedinteger]) -> Codes:
    """Matrices from registers of whole elements: the inverse of `pack`, as [tile, element]."""
    taken = np.ascontiguousarray(words.transpose(0, 2, 1)).view(dtype).reshape(len(words), -1)
    codes = np.empty_like(taken)
    codes[:, places.reshape(-1)] = taken
    return codes


def _mma() -> Iterator[Kind]:
    for d, c in (("f32", "f32"), ("f32", "f16"), ("f16", "f16")):
        yield Kind("mma.sync", 8, 8, 4, d, "f16", "f16", c)
    for depth in (8, 16):
        for d in ("f32", "f16"):
            yield Kind("mma.sync", 16, 8, depth, d, "f16", "f16", d)
        yield Kind("mma.sync", 16, 8, depth, "f32", "bf16", "bf16", "f32")
    for depth in (4, 8):
        yield Kind("mma.sync", 16, 8, depth, "f32", "tf32", "tf32", "f32")
    for depth in (16, 32):
        for d in ("f32", "f16"):
            for a in ("e4m3", "e5m2"):
                for b in ("e4m3", "e5m2"):
                    yield Kind("mma.sync", 16, 8, depth, d, a, b, d)
    yield Kind("mma.sync", 8, 8, 4, "f64", "f64", "f64", "f64")
    for depth in (4, 8, 16):
        yield Kind("mma.sync", 16, 8, depth, "f64", "f64", "f64", "f64")
    for signs, shapes in (
        ("su8", ((8, 16), (16, 16), (16, 32))),
        ("su4", ((8, 32), (16, 32), (16, 64))),
    ):
        for rows, depth in shapes:
            for modifier in ("", "satfinite"):
                for a in signs[:2]:
                    for b in signs[:2]:
                        types = a + signs[2], b + signs[2]
                        yield Kind("mma.sync", rows, 8, depth, "s32", *types, "s32", modifier)
    for rows, depth in ((8, 128), (16, 128), (16, 256)):
        for modifier in ("and.popc", "xor.popc"):
            yield Kind("mma.sync", rows, 8, depth, "s32", "b1", "b1", "s32", modifier)


def _wgmma() -> Iterator[Kind]:
    for d in ("f32", "f16"):
        yield Kind("wgmma", 64, 8, 16, d, "f16", "f16", d)
        for a in ("e4m3", "e5m2"):
            for b in ("e4m3", "e5m2"):
                yield Kind("wgmma", 64, 8, 32, d, a, b, d)
    yield Kind("wgmma", 64, 8, 16, "f32", "bf16", "bf16", "f32")
    yield Kind("wgmma", 64, 8, 8, "f32", "tf32", "tf32", "f32")
    for modifier in ("", "satfinite"):
        for a in ("s8", "u8"):
            for b in ("s8", "u8"):
                yield Kind("wgmma", 64, 8, 32, "s32", a, b, "s32", modifier)
    yield Kind("wgmma", 64, 8, 256, "s32", "b1", "b1", "s32", "and.popc")
    for form in ("registers", "negated", "fresh"):
        for d in ("f32", "f16"):
            yield Kind("wgmma", 64, 8, 16, d, "f16", "f16", d, "", form)
        yield Kind("wgmma", 64, 8, 16, "f32", "bf16", "bf16", "f32", "", form)
        yield Kind("wgmma", 64, 8, 8, "f32", "tf32", "tf32", "f32", "", form)
        yield Kind("wgmma", 64, 8, 32, "f32", "e4m3", "e5m2", "f32", "", form)
    for form in ("registers", "fresh"):
        yield Kind("wgmma", 64, 8, 32, "s32", "s8", "u8", "s32", "", form)
    for depth, a in ((16, "f16"), (16, "bf16"), (8, "tf32"), (32, "e4m3"), (32, "e5m2")):
        yield Kind("wgmma", 64, 256, depth, "f32", a, a, "f32")


KINDS: dict[str, Kind] = {kind.name: kind for kind in (*_mma(), *_wgmma())}

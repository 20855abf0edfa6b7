"""mma.sync by the PTX ISA: every dense form, kernels around it, and the fragments in formulas.

Fragments are those of "Matrix fragments for mma" of the PTX ISA, in its words groupID (lane / 4)
and threadID_in_group (lane % 4).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from tests import ptx

BITS = {
    "f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8,
    "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
_DTYPES = {
    "f64": np.float64, "f32": np.float32, "tf32": np.float32, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
    "s32": np.int32,
}  # fmt: skip
Floats = NDArray[np.float64]
Codes = NDArray[np.uint64]
Places = NDArray[np.int64]


def codes_of(kind: str, values: Floats) -> Codes:
    """The bits of values, which the type holds exactly."""
    if kind not in _DTYPES:
        return (values.astype(np.int64) & ((1 << BITS[kind]) - 1)).astype(np.uint64)
    typed = values.astype(_DTYPES[kind])
    return typed.view(f"u{typed.dtype.itemsize}").astype(np.uint64)


def values_of(kind: str, codes: Codes) -> Floats:
    """What the bits of a result mean."""
    dtype = np.dtype(_DTYPES[kind])
    return codes.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


@dataclass(frozen=True)
class Form:
    """One dense mma.sync."""

    rows: int
    depth: int
    d: str
    a: str
    b: str
    c: str
    middle: str = ""
    end: str = ""
    majors: tuple[str, str] = ("row", "col")

    @property
    def quad(self) -> bool:
        """Four products by eight lanes each."""
        return self.a == "f16" and self.depth == 4

    @property
    def products(self) -> int:
        return 4 if self.quad else 1

    @property
    def name(self) -> str:
        return (
            f"mma.sync.aligned.m{self.rows}n8k{self.depth}.{'.'.join(self.majors)}{self.middle}"
            f".{self.d}.{self.a}.{self.b}.{self.c}{self.end}"
        )

    def kind(self, operand: str) -> str:
        return str(getattr(self, operand))

    def elements(self, operand: str) -> int:
        """How many elements a lane holds."""
        sizes = {"a": self.rows * self.depth, "b": 8 * self.depth}
        return sizes.get(operand, self.rows * 8) * self.products // 32

    def words(self, operand: str) -> int:
        return self.elements(operand) * BITS[self.kind(operand)] // 32

    def places(self, operand: str) -> tuple[Places, Places, Places]:
        """Product, line (row, or column of B) and k (column of C, D) of [lane, element]."""
        lane, i = np.indices((32, self.elements(operand)))
        if self.quad:
            return self._quad(operand, lane, i)
        group, thread = lane // 4, lane % 4
        none = np.zeros_like(lane)
        if operand in "cd":
            return none, group + 8 * (i // 2), 2 * thread + i % 2
        unit = max(1, 32 // BITS[self.kind(operand)])
        halves = self.rows // 8 if operand == "a" else 1
        register = i // unit
        line = group + 8 * (register % halves)
        return none, line, thread * unit + i % unit + 4 * unit * (register // halves)

    def _quad(self, operand: str, lane: Places, i: Places) -> tuple[Places, Places, Places]:
        product, upper = lane % 16 // 4, 4 * (lane >= 16)
        if operand in "ab":
            plain = self.majors["ab".index(operand)] == ("row" if operand == "a" else "col")
            line, k = lane % 4 + upper, i
            return (product, line, k) if plain else (product, i + upper, lane % 4)
        if self.kind(operand) == "f16":
            return product, lane % 4 + upper, i
        return product, (lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)

    def packed(self, operand: str, matrix: Floats) -> NDArray[np.uint32]:
        """The registers uint32[lane, word] of matrix float[product, line, k] (or column)."""
        bits = BITS[self.kind(operand)]
        codes = codes_of(self.kind(operand), matrix[self.places(operand)])
        words = np.zeros((32, self.words(operand)), np.uint32)
        for element in range(codes.shape[1]):
            for part in range(max(1, bits // 32)):
                piece = codes[:, element] >> np.uint64(32 * part) & np.uint64(0xFFFFFFFF)
                word = element * bits // 32 + part
                words[:, word] |= (piece << np.uint64(element * bits % 32)).astype(np.uint32)
        return words

    def unpacked(self, words: NDArray[np.uint32]) -> Floats:
        """The matrix D [product, row, column] of registers."""
        bits = BITS[self.d]
        wide = words.astype(np.uint64)
        matrix = np.zeros((self.products, self.rows, 8))
        if bits == 64:
            codes = wide[:, ::2] | wide[:, 1::2] << np.uint64(32)
        elif bits == 16:
            codes = np.stack([wide & np.uint64(0xFFFF), wide >> np.uint64(16)], -1).reshape(32, -1)
        else:
            codes = wide
        matrix[self.places("d")] = values_of(self.d, codes)
        return matrix


_FLOATS = (("f16", "f16"), ("f32", "f32"))


def forms() -> Iterator[Form]:
    """Every dense form, rounding of f64 aside."""
    for rows, depth in ((8, 4), (16, 4), (16, 8), (16, 16)):
        yield Form(rows, depth, "f64", "f64", "f64", "f64")
    for majors in itertools.product(("row", "col"), repeat=2):
        for d, c in (*_FLOATS, ("f32", "f16")):
            yield Form(8, 4, d, "f16", "f16", c, majors=majors)
    for depth in (8, 16):
        for d, c in _FLOATS:
            yield Form(16, depth, d, "f16", "f16", c)
        yield Form(16, depth, "f32", "bf16", "bf16", "f32")
        yield Form(16, depth // 2, "f32", "tf32", "tf32", "f32")
        for a, b in itertools.product(("e4m3", "e5m2"), repeat=2):
            for d, c in _FLOATS:
                yield Form(16, 2 * depth, d, a, b, c)
    for kinds, shapes in (
        (("s8", "u8"), ((8, 16), (16, 16), (16, 32))),
        (("s4", "u4"), ((8, 32), (16, 32), (16, 64))),
    ):
        for a, b in itertools.product(kinds, repeat=2):
            for rows, depth in shapes:
                for middle in ("", ".satfinite"):
                    yield Form(rows, depth, "s32", a, b, "s32", middle)
    for rows, depth in ((8, 128), (16, 128), (16, 256)):
        for operation in ("and", "xor"):
            yield Form(rows, depth, "s32", "b1", "b1", "s32", end=f".{operation}.popc")


def _registers(form: Form, operand: str) -> str:
    count, letter = form.words(operand), operand
    if form.kind(operand) == "f64":
        count //= 2
    return "{" + ", ".join(f"{letter}{i}" for i in range(count)) + "}"


def _moves(form: Form, operand: str) -> list[str]:
    """Loads of an operand, or stores of D; word w of a lane at (w * 32 + lane) * 4."""
    kind, lines = form.kind(operand), []
    suffix = {"f64": "b64", "f32": "f32"}.get(kind, "b32")
    lines.append(f"ld.param.u64 p, [{operand}_];")
    if kind == "f64":
        lines.append("mad.wide.u32 p, t, 8, p;")
        step = 256
    else:
        lines.append("mad.wide.u32 p, t, 4, p;")
        step = 128
    for i in range(form.words(operand) // (2 if kind == "f64" else 1)):
        place, register = f"[p+{i * step}]", f"{operand}{i}"
        lines.append(
            f"st.global.{suffix} {place}, {register};"
            if operand == "d"
            else f"ld.global.{suffix} {register}, {place};"
        )
    return lines


def text(form: Form, target: str = "sm_90a", instruction: str = "") -> str:
    """A kernel k(a, b, c, d) of one warp that loads the registers, multiplies and stores D."""
    declared = []
    for operand in "abcd":
        kind = {"f64": "f64", "f32": "f32"}.get(form.kind(operand), "b32")
        declared.append(f".reg .{kind} {operand}<{max(form.words(operand), 1)}>;")
    listed = ", ".join(_registers(form, operand) for operand in "dabc")
    lines = [
        ".visible .entry k(.param .u64 a_, .param .u64 b_, .param .u64 c_, .param .u64 d_) {",
        ".reg .b32 t; .reg .b64 p;", *declared, "mov.u32 t, %tid.x;",
        *(line for operand in "abc" for line in _moves(form, operand)),
        f"{instruction or form.name} {listed};", *_moves(form, "d"), "ret; }\n",
    ]  # fmt: skip
    return ptx.module("\n".join(lines), target)


def by_word(form: Form, operand: str, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Registers [lane, word] as the kernel finds them in memory."""
    if form.kind(operand) == "f64":
        return np.ascontiguousarray(words.reshape(32, -1, 2).swapaxes(0, 1)).reshape(-1)
    return np.ascontiguousarray(words.T).reshape(-1)


def by_lane(form: Form, memory: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """D's registers [lane, word] from where the kernel stored them."""
    if form.d == "f64":
        return memory.reshape(-1, 32, 2).swapaxes(0, 1).reshape(32, -1)
    return memory.reshape(-1, 32).T

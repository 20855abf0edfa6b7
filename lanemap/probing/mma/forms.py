"""The forms of mma.sync that a probe of fragments executes: every dense shape and type.

NVIDIA PTX ISA, Matrix multiply-accumulate: mma. Fragments depend on the shape and on the types, so
one form for each pair of equal types of A and B, and for each type of D, is enough. Elements of 6
and 4 bits of .kind::f8f6f4 lie in bytes, whose other bits are padding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lanemap.layout import Space
from lanemap.targets import features_of

LANES = 32
Key = Callable[[int], tuple[int, ...]]
BITS = {
    "f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8,
    "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "e3m2": 6, "e2m3": 6, "e2m1": 4,
}  # fmt: skip
#: Bits of padding below an element of a byte.
BELOW = {"e3m2": 0, "e2m3": 0, "e2m1": 2}
#: The code of one; of f64 its upper half.
ONE = {"f64": 0x3FF00000, "tf32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80, "e4m3": 0x38,
       "e5m2": 0x3C, "e3m2": 0x0C, "e2m3": 0x08, "e2m1": 0x02}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """One form.

    Attributes:
        rows: M; N is 8.
        depth: K.
        kind: The type of A and B.
        result: The type of C and D.
        majors: The layouts of A and B.
        needs: The feature without which a target lacks it; "" for none.
    """

    rows: int
    depth: int
    kind: str
    result: str
    majors: tuple[str, str] = ("row", "col")
    needs: str = ""

    @property
    def scaled(self) -> bool:
        """Whether it takes scales; the probe gives ones."""
        return self.kind == "e2m1" and self.depth == 64

    @property
    def quads(self) -> bool:
        """Whether it makes four products, each by eight threads."""
        return self.kind == "f16" and self.depth == 4

    @property
    def lanes(self) -> int:
        """Threads that hold the matrices."""
        return LANES

    @property
    def columns(self) -> int:
        """N."""
        return 8

    @property
    def products(self) -> int:
        """Pairs of matrices that it multiplies."""
        return 4 if self.quads else 1

    def keys(self) -> tuple[Key, Key, Key]:
        """The orders in which rows and columns (of elements of D) and k (of A) are named."""
        each = self.elements("D")

        def row(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, each)
            upper = lane // 16 if self.quads else 0
            return (lane % 16 // 4 if self.quads else 0, upper, element, lane)

        def column(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, each)
            if self.quads:
                return (lane % 16 // 4, element // 4, lane, element)
            return (lane, element)

        own, unit = self.elements("A"), max(1, 32 // self.place("A")[0])

        def k(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, own)
            product = lane % 16 // 4 if self.quads else 0
            return (product, element // unit, lane, element)

        return row, column, k

    @property
    def shape(self) -> str:
        """As PTX spells it."""
        return f"m{self.rows}n8k{self.depth}"

    @property
    def instruction(self) -> str:
        """Its name in PTX."""
        end = ".and.popc" if self.kind == "b1" else ".ue8m0" if self.scaled else ""
        kind = ""
        if self.kind in BELOW:
            packed = "mxf4.block_scale.scale_vec::2X"
            kind = f".kind::{packed if self.scaled else 'f8f6f4'}"
        return (
            f"mma.sync.aligned.{self.shape}.{'.'.join(self.majors)}{kind}.{self.result}"
            f".{self.kind}.{self.kind}.{self.result}{end}"
        )

    @property
    def arguments(self) -> str:
        """What follows C: scales in a register of ones, and their selectors."""
        return ", ones, {0, 0}, ones, {0, 0}" if self.scaled else ""

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return self.instruction.replace("::", "_").replace(".", "_")

    def variant(self, operand: str) -> str:
        """The name of a fragment: "A", "B" or "D"."""
        kind = self.result if operand == "D" else self.kind
        major = ""
        if self.quads and operand != "D":
            major = f"{self.majors['AB'.index(operand)]}."
        return f"mma.sync.{self.shape}.{major}{kind}:{operand}"

    def bits(self, operand: str) -> int:
        """Width of an element."""
        return BITS[self.result if operand == "D" else self.kind]

    def place(self, operand: str) -> tuple[int, int]:
        """Bits of the registers that an element takes, and how many of them lie below it."""
        if operand != "D" and self.kind in BELOW and not self.scaled:
            return 8, BELOW[self.kind]
        return self.bits(operand), 0

    def elements(self, operand: str) -> int:
        """Elements that a thread holds."""
        sizes = {"A": self.rows * self.depth, "B": 8 * self.depth, "D": 8 * self.rows}
        return sizes[operand] * (4 if self.quads else 1) // LANES

    def words(self, operand: str) -> int:
        """Registers of 32 bits that a thread holds."""
        return self.elements(operand) * self.place(operand)[0] // 32

    def matrix(self, operand: str) -> Space:
        """The matrix: product of four (of quads), two axes, bit."""
        axes = {"A": ("row", "k"), "B": ("k", "column"), "D": ("row", "column")}[operand]
        sizes = {"row": self.rows, "k": self.depth, "column": 8}
        product = (("product", 4),) if self.quads else ()
        pairs = tuple((axis, sizes[axis]) for axis in axes)
        return Space("matrix", (*product, *pairs, ("bit", self.bits(operand))))

    def registers(self, operand: str) -> Space:
        """The registers of a warp."""
        axes = (("lane", LANES), ("register", self.words(operand)), ("bit", 32))
        return Space("register", axes)


_AMPERE, _HOPPER = "matrices of sm_80", "f64 matrices of sm_90"
_NARROW = "block-scaled mma.sync"
#: Rows, depth, types of A and B, types of D, and the feature that they need.
_SHAPES = (
    (8, 4, ("f64",), ("f64",), _AMPERE),
    *((16, depth, ("f64",), ("f64",), _HOPPER) for depth in (4, 8, 16)),
    *((16, depth, ("tf32",), ("f32",), _AMPERE) for depth in (4, 8)),
    (16, 8, ("f16",), ("f16", "f32"), ""),
    (16, 16, ("f16",), ("f16", "f32"), _AMPERE),
    *((16, depth, ("bf16",), ("f32",), _AMPERE) for depth in (8, 16)),
    *((16, depth, ("e4m3", "e5m2"), ("f16", "f32"), "FP8") for depth in (16, 32)),
    (8, 16, ("s8", "u8"), ("s32",), ""),
    *((16, depth, ("s8", "u8"), ("s32",), _AMPERE) for depth in (16, 32)),
    (8, 32, ("s4", "u4"), ("s32",), ""),
    *((16, depth, ("s4", "u4"), ("s32",), _AMPERE) for depth in (32, 64)),
    # With .and.popc; Turing has .xor.popc alone, under which zeros of A show in D.
    *(
        (rows, depth, ("b1",), ("s32",), _AMPERE)
        for rows, depth in ((8, 128), (16, 128), (16, 256))
    ),
    (16, 32, ("e3m2", "e2m3", "e2m1"), ("f16", "f32"), _NARROW),
    (16, 64, ("e2m1",), ("f32",), _NARROW),
)


def forms() -> Iterator[Form]:
    """Every form of any target."""
    for rows, depth, kinds, results, needs in _SHAPES:
        for kind, result in itertools.product(kinds, results):
            yield Form(rows, depth, kind, result, needs=needs)
    for result, majors in itertools.product(("f16", "f32"), (("row", "col"), ("col", "row"))):
        yield Form(8, 4, "f16", result, majors)


def forms_of(target: str) -> Iterator[Form]:
    """Every form of a target."""
    has = features_of(target)
    return (form for form in forms() if not form.needs or form.needs in has)

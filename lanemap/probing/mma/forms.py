"""The forms of mma.sync that a probe of fragments executes: every dense shape and type.

NVIDIA PTX ISA, Matrix multiply-accumulate: mma. Fragments depend on the shape and on the types, so
one form for each pair of equal types of A and B, and for each type of D, is enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lanemap.layout import Space

LANES = 32
Key = Callable[[int], tuple[int, ...]]
BITS = {
    "f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8,
    "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
#: The code of one; of f64 its upper half.
ONE = {"f64": 0x3FF00000, "tf32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80, "e4m3": 0x38,
       "e5m2": 0x3C}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """One form.

    Attributes:
        rows: M; N is 8.
        depth: K.
        kind: The type of A and B.
        result: The type of C and D.
        majors: The layouts of A and B.
    """

    rows: int
    depth: int
    kind: str
    result: str
    majors: tuple[str, str] = ("row", "col")

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

        own, unit = self.elements("A"), max(1, 32 // self.bits("A"))

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
        end = ".and.popc" if self.kind == "b1" else ""
        return (
            f"mma.sync.aligned.{self.shape}.{'.'.join(self.majors)}.{self.result}.{self.kind}"
            f".{self.kind}.{self.result}{end}"
        )

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return self.instruction.replace(".", "_")

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

    def elements(self, operand: str) -> int:
        """Elements that a thread holds."""
        sizes = {"A": self.rows * self.depth, "B": 8 * self.depth, "D": 8 * self.rows}
        return sizes[operand] * (4 if self.quads else 1) // LANES

    def words(self, operand: str) -> int:
        """Registers of 32 bits that a thread holds."""
        return self.elements(operand) * self.bits(operand) // 32

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


_SHAPES = (
    *((rows, depth, ("f64",), ("f64",)) for rows, depth in ((8, 4), (16, 4), (16, 8), (16, 16))),
    *((16, depth, ("tf32",), ("f32",)) for depth in (4, 8)),
    *((16, depth, ("f16",), ("f16", "f32")) for depth in (8, 16)),
    *((16, depth, ("bf16",), ("f32",)) for depth in (8, 16)),
    *((16, depth, ("e4m3", "e5m2"), ("f16", "f32")) for depth in (16, 32)),
    *((rows, depth, ("s8", "u8"), ("s32",)) for rows, depth in ((8, 16), (16, 16), (16, 32))),
    *((rows, depth, ("s4", "u4"), ("s32",)) for rows, depth in ((8, 32), (16, 32), (16, 64))),
    *((rows, depth, ("b1",), ("s32",)) for rows, depth in ((8, 128), (16, 128), (16, 256))),
)


def forms() -> Iterator[Form]:
    """Every form, the same on every target."""
    for rows, depth, kinds, results in _SHAPES:
        for kind, result in itertools.product(kinds, results):
            yield Form(rows, depth, kind, result)
    for result, majors in itertools.product(("f16", "f32"), (("row", "col"), ("col", "row"))):
        yield Form(8, 4, "f16", result, majors)

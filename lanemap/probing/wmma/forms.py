"""The forms of wmma: shapes, types, and how many registers of a thread hold each matrix.

NVIDIA PTX ISA, Matrix data-types and Matrix Fragments for wmma.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

BITS = {
    "f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "s4": 4,
    "u4": 4, "b1": 1,
}  # fmt: skip
_LARGE = ((16, 16, 16), (8, 32, 16), (32, 8, 16))
#: Shapes M, N, K of each type of A and B, and the types of C and D.
SHAPES: dict[str, tuple[tuple[tuple[int, int, int], ...], tuple[str, ...]]] = {
    "f16": (_LARGE, ("f16", "f32")), "bf16": (_LARGE, ("f32",)),
    "s8": (_LARGE, ("s32",)), "u8": (_LARGE, ("s32",)),
    "tf32": (((16, 16, 8),), ("f32",)), "f64": (((8, 8, 4),), ("f64",)),
    "s4": (((8, 8, 32),), ("s32",)), "u4": (((8, 8, 32),), ("s32",)),
    "b1": (((8, 8, 128),), ("s32",)),
}  # fmt: skip


@dataclass(frozen=True)
class Matrix:
    """One matrix of one shape, as the instructions load and store it.

    Attributes:
        operand: "a", "b", "c" or "d".
        shape: M, N, K.
        kind: The type of its elements.
    """

    operand: str
    shape: tuple[int, int, int]
    kind: str

    @property
    def rows(self) -> int:
        """Rows: M, or K of B."""
        return self.shape[2] if self.operand == "b" else self.shape[0]

    @property
    def columns(self) -> int:
        """Columns: N, or K of A."""
        return self.shape[2] if self.operand == "a" else self.shape[1]

    @property
    def bits(self) -> int:
        """Width of an element."""
        return BITS[self.kind]

    @property
    def words(self) -> int:
        """Registers of 32 bits of one thread; f16 of A and B takes 8 whatever the shape."""
        if self.operand in "ab" and self.kind == "f16":
            return 8
        return self.rows * self.columns * self.bits // 1024

    @property
    def spelled(self) -> str:
        """The shape as PTX spells it."""
        m, n, k = self.shape
        return f"m{m}n{n}k{k}"

    def majors(self) -> tuple[str, ...]:
        """The layouts in memory that the instructions have for it."""
        if self.operand in "ab" and self.kind in ("s4", "u4", "b1"):
            return ("row",) if self.operand == "a" else ("col",)
        return ("row", "col")

    def bytes_of(self, major: str, stride: int) -> int:
        """Bytes that it takes in memory.

        Args:
            major: "row" or "col".
            stride: Elements from the beginning of a row (or column) to that of the next.
        """
        lines = self.rows if major == "row" else self.columns
        return lines * stride * self.bits // 8

    def contiguous(self, major: str) -> int:
        """Elements of one row (or column)."""
        return self.columns if major == "row" else self.rows


def matrices() -> Iterator[Matrix]:
    """Every matrix that is loaded; D lies as C does."""
    for kind, (shapes, _) in SHAPES.items():
        for shape in shapes:
            yield Matrix("a", shape, kind)
            yield Matrix("b", shape, kind)
    seen = set()
    for shapes, results in SHAPES.values():
        for shape in shapes:
            for result in results:
                if (shape, result) not in seen:
                    seen.add((shape, result))
                    yield Matrix("c", shape, result)

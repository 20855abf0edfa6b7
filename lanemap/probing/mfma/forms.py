"""The forms of MFMA that a probe of operands executes: every shape and type, and mixed formats.

Names, shapes and types are those of the instructions (AMD CDNA4, CDNA3 and MI200 ISA, chapter 12).
The codes of small integers are those of IEEE 754 and of the OCP formats; where 8-bit floats are
FNUZ, with a bias larger by 1. xf32 has the codes of f32 (AMD CDNA3 ISA, matrix data types).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.layout import Space
from lanemap.probing.mma.forms import Key
from lanemap.targets import TARGETS, instructions_of

LANES = 64
#: Of each float: bits of exponent and mantissa, bias.
_FLOATS = {
    "f64": (11, 52, 1023), "f32": (8, 23, 127), "xf32": (8, 23, 127), "f16": (5, 10, 15),
    "bf16": (8, 7, 127),
    "fp8": (4, 3, 7), "bf8": (5, 2, 15), "fp6": (2, 3, 1), "bf6": (3, 2, 3), "fp4": (2, 1, 1),
}  # fmt: skip
#: Bits of the integers that a type holds exactly, fewer than those of its significand.
DIGIT = {"f64": 24, "f32": 20, "xf32": 11, "f16": 11, "bf16": 8, "i8": 7, "fp8": 4, "bf8": 3,
         "fp6": 3, "bf6": 3, "fp4": 2}  # fmt: skip
BITS = {"i8": 8} | {kind: 1 + shape[0] + shape[1] for kind, shape in _FLOATS.items()}
#: cbsz and blgp of the formats of f8f6f4.
FORMATS = ("fp8", "bf8", "fp6", "bf6", "fp4")
_MIXED = (("fp8", "fp4"), ("fp4", "fp6"), ("bf6", "bf8"))


def code(kind: str, value: int, fnuz: bool = False) -> int:
    """The code of a small integer in a type that holds it; `fnuz`: of 8-bit floats."""
    if kind == "i8" or value == 0:
        return value
    _, mantissa, bias = _FLOATS[kind]
    bias += fnuz and kind in ("fp8", "bf8")
    exponent = value.bit_length() - 1
    fraction = (value << mantissa >> exponent) - (1 << mantissa)
    return exponent + bias << mantissa | fraction


@dataclass(frozen=True)
class Form:
    """One form.

    Attributes:
        instruction: Its name.
        spelled: The name by which the target's assembler knows it.
        side: M and N.
        depth: K.
        kinds: The types of A and B.
        result: The type of C and D.
        products: Its blocks: pairs of matrices that it multiplies.
        fnuz: Whether its 8-bit floats are FNUZ.
    """

    instruction: str
    spelled: str
    side: int
    depth: int
    kinds: tuple[str, str]
    result: str = "f32"
    products: int = 1
    fnuz: bool = False

    @property
    def lanes(self) -> int:
        """Lanes that hold the matrices."""
        return LANES

    @property
    def rows(self) -> int:
        """M."""
        return self.side

    @property
    def columns(self) -> int:
        """N."""
        return self.side

    @property
    def is_sparse(self) -> bool:
        """Whether A keeps two of every four elements along k, which an index names."""
        return False

    @property
    def is_mixed(self) -> bool:
        """Whether cbsz and blgp name the types of A and B."""
        return self.instruction.endswith("f8f6f4")

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return "_".join([self.instruction, *(self.kinds if self.is_mixed else ())])

    @property
    def modifiers(self) -> str:
        """Those that name its types."""
        if not self.is_mixed:
            return ""
        a, b = (FORMATS.index(kind) for kind in self.kinds)
        return f" cbsz:{a} blgp:{b}"

    def kind(self, operand: str) -> str:
        """The type of an operand."""
        return {"A": self.kinds[0], "B": self.kinds[1], "D": self.result}[operand]

    def variant(self, operand: str) -> str:
        """The name of an operand: "A", "B" or "D"."""
        kind = f".{self.kind(operand)}" if self.is_mixed and operand != "D" else ""
        return f"{self.instruction}:{operand}{kind}"

    def bits(self, operand: str) -> int:
        """Width of an element."""
        kind = self.kind(operand)
        return 32 if kind == "i32" else BITS[kind]

    def elements(self, operand: str) -> int:
        """Elements that a lane holds."""
        across = self.side if operand == "D" else self.depth
        return self.side * across * self.products // LANES

    def words(self, operand: str) -> int:
        """Registers of a lane."""
        return self.elements(operand) * self.bits(operand) // 32

    def matrix(self, operand: str) -> Space:
        """The matrices: block where there are several, two axes, bit."""
        axes = {"A": ("row", "k"), "B": ("k", "column"), "D": ("row", "column")}[operand]
        sizes = tuple((axis, self.depth if axis == "k" else self.side) for axis in axes)
        block = (("block", self.products),) if self.products > 1 else ()
        return Space("matrix", (*block, *sizes, ("bit", self.bits(operand))))

    def registers(self, operand: str) -> Space:
        """The registers of a wave."""
        axes = (("lane", LANES), ("register", self.words(operand)), ("bit", 32))
        return Space("register", axes)

    def keys(self) -> tuple[Key, Key, Key]:
        """The orders in which rows and columns (of elements of D) and k (of A) are named.

        Rows are named by fours that one lane holds (by ones in f64), lanes before registers. Of
        32 elements of 8 bits the k of the first 16 of every lane come first.
        """
        each, own = self.elements("D"), self.elements("A")
        beside = self.products if self.side == 4 else 1
        run = 1 if self.result == "f64" else 4
        held = max(each // self.products, run) if self.side > 4 else each
        part = 16 if self.bits("A") == 8 and own == 32 else own

        def row(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, each)
            block, inside = element // held + lane // self.side % beside, element % held
            return (block, inside // run, lane // (self.side * beside), inside % run, lane)

        def column(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, each)
            return (element // held + lane // self.side % beside, lane, element)

        def k(cell: int) -> tuple[int, ...]:
            lane, element = divmod(cell, own)
            return (lane // self.side % self.products, element // part, lane, element)

        return row, column, k


_FP8 = tuple((a, b) for a in ("fp8", "bf8") for b in ("fp8", "bf8"))
_SHAPES = (
    ("f32", ("f32",), ("16x16x4", "32x32x2", "4x4x1_16b", "16x16x1_4b", "32x32x1_2b")),
    ("f64", ("f64",), ("16x16x4", "4x4x4_4b")),
    ("i32", ("i8",), ("16x16x64", "32x32x32", "16x16x32", "32x32x16", "4x4x4_16b", "16x16x4_4b",
                      "32x32x4_2b")),
    ("f32", ("f16", "bf16"), ("16x16x32", "32x32x16", "16x16x16", "32x32x8", "4x4x4_16b",
                              "16x16x4_4b", "32x32x4_2b")),
    ("f32", _FP8, ("16x16x32", "32x32x16")),
    ("f32", ("xf32",), ("16x16x8", "32x32x4")),
)  # fmt: skip
#: Those of CDNA 2 alone, whose names later targets lack or give to another instruction: type, M, K,
#: blocks.
_FIRST = (
    ("bf16", 32, 4, 1), ("bf16", 16, 8, 1), ("bf16", 32, 2, 2), ("bf16", 16, 2, 4),
    ("bf16", 4, 2, 16), ("i8", 32, 8, 1), ("i8", 16, 16, 1),
)  # fmt: skip
#: The targets, the oldest first.
PROBED = tuple(each.name for each in TARGETS.values() if not each.is_nvidia and each.probed)


def _spelled(name: str, target: str) -> str:
    """How a target's assembler calls an instruction, or "" if it has none.

    Older names have no blocks and no underscore before the type; that of bf16 with two registers
    ends in _1k (LLVM, "Syntax of GFX90a Instructions").
    """
    stem, _, kind = name.rpartition("_")
    older = stem.removesuffix("b").rstrip("0123456789").removesuffix("_") if "b" in stem else stem
    known = instructions_of(target)
    names = (name, f"{older}{kind}_1k", *([] if kind == "bf16" else [older + kind]))
    return next((each for each in names if each in known), "")


def _listed() -> Iterator[tuple[str, str, tuple[str, str], str]]:
    for result, kinds, shapes in _SHAPES:
        for kind in kinds:
            both = (kind, kind) if isinstance(kind, str) else kind
            types = kind if isinstance(kind, str) else "_".join(kind)
            for shape in shapes:
                yield f"v_mfma_{result}_{shape}_{types}", shape, both, result


def forms(target: str) -> Iterator[Form]:
    """Every form that a target has."""
    fnuz = TARGETS[target].fnuz
    for name, shape, both, result in _listed():
        size, _, blocks = shape.partition("_")
        side, _, depth = (int(part) for part in size.split("x"))
        if spelled := _spelled(name, target):
            products = int(blocks.rstrip("b") or 1)
            yield Form(name, spelled, side, depth, both, result, products, fnuz)
    if TARGETS[target].tensor_cores == "CDNA 2":
        for kind, side, depth, products in _FIRST:
            result = "i32" if kind == "i8" else "f32"
            name = f"v_mfma_{result}_{side}x{side}x{depth}{kind}"
            yield Form(name, name, side, depth, (kind, kind), result, products)
    for side, depth in ((16, 128), (32, 64)):
        name = f"v_mfma_f32_{side}x{side}x{depth}_f8f6f4"
        if _spelled(name, target):
            for both in (*((kind, kind) for kind in FORMATS), *_MIXED):
                yield Form(name, name, side, depth, both)


def every_form() -> Iterator[Form]:
    """Those of all targets, each once for each target that has it."""
    for target in PROBED:
        yield from forms(target)

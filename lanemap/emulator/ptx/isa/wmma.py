"""wmma: matrices between memory and fragments of a warp, and their products (NVIDIA PTX ISA, wmma).

The ISA leaves fragments open; the model has those that ptxas 13.0 makes (lanemap/model/wmma.py).
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.tables import Table
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.common import same_in_warp
from lanemap.emulator.ptx.isa.floats import MODES, ROUNDINGS
from lanemap.emulator.ptx.isa.fragments import BITS, LANES, Fragment, Product, multiply, result
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import gate
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.lower.tables import Models, fragment_load_table, fragment_store_table
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import Space, SumRule
from lanemap.model import tensor_sums, wmma

_SHAPES = " ".join(dict.fromkeys(shape.name for shape in wmma.SHAPES))
_TYPES = " ".join(dict.fromkeys((*FORMATS, *RESULTS)))
_SUBBYTE = ("s4", "u4", "b1")
#: CUDA C++ Programming Guide, wmma: a stride of 16 bytes and a pointer of 32 are aligned. The PTX
#: ISA (Matrix storage) wants every line aligned to the size of the fragment.
_LEAST_ALIGN = 16


def _shape(name: str, kind: str) -> wmma.Shape:
    """The shape of a name that has a type.

    Raises:
        OperandError: there is none.
    """
    for shape in wmma.SHAPES:
        if shape.name == name and kind in (*shape.types, *shape.results):
            return shape
    raise OperandError(f"`wmma` has no shape .{name} of type .{kind}")


def _operand(shape: wmma.Shape, operand: str, kind: str) -> Fragment:
    """A, B, C or D of a shape.

    Raises:
        OperandError: it has no such type.
    """
    legal = shape.types if operand in "AB" else shape.results
    if kind not in legal:
        raise OperandError(f"`.{kind}` is not a type of {operand} of wmma .{shape.name}")
    if operand in "AB":
        elements = wmma.words_of(shape, operand, kind) * 32 // BITS[kind]
    else:
        elements = shape.rows * shape.columns // LANES
    letter = "D" if operand == "C" else operand
    return Fragment(f"wmma.{shape.name}.{kind}:{letter}", kind, elements)


class _Moved:
    """A matrix that wmma.load or wmma.store moves: its fragment, its lines, and where they lie."""

    def __init__(self, s: Statement, operands: str) -> None:
        """Take the modifiers, of which the operand is one of the lower-case letters given."""
        operand = s.choice(" ".join(operands)).upper()
        for word in ("sync", "aligned"):
            s.choice(word)
        self.major = s.choice("row col")
        name = s.choice(_SHAPES)
        space = s.choice("global shared shared::cta", "")
        self.space = {"": Space.GENERIC, "global": Space.GLOBAL}.get(space, Space.SHARED)
        kind = s.type(_TYPES)
        shape = _shape(name, kind)
        self.fragment = _operand(shape, operand, kind)
        if kind in _SUBBYTE and self.major != ("row" if operand == "A" else "col"):
            s.refuse(self.major)
        rows, columns = {
            "A": (shape.rows, shape.depth),
            "B": (shape.depth, shape.columns),
        }.get(operand, (shape.rows, shape.columns))
        self.lines, self.along = (rows, columns) if self.major == "row" else (columns, rows)
        whole = 4 * self.fragment.words
        self.align = whole if s.names.settings.strict else min(whole, _LEAST_ALIGN)

    @property
    def line_bytes(self) -> int:
        """Bytes of one row, or of one column."""
        return self.along * BITS[self.fragment.kind] // 8

    def stride(self, s: Statement) -> Source | None:
        """Take the stride, None where it is left out."""
        return s.source("b32") if s.left else None

    def place(self, b: Builder, address: Source, stride: Source | None) -> None:
        """Give each lane the address of the line of its number."""
        base = same_in_warp(b, address.read(b), "address", Rule.TADDR_DIFFERS)
        step: Value = b.ir.constant("i64", self.line_bytes)
        if stride is not None:
            elements = same_in_warp(b, stride.read(b), "operand", Rule.TADDR_DIFFERS)
            bits = b.ir.constant("i64", BITS[self.fragment.kind])
            step = b.alu.lshr(b.alu.mul(b.alu.zext(elements, "i64"), bits), b.ir.constant("i64", 3))
        lane = b.alu.zext(b.lanes.numbers(), "i64")
        b.memory.set_addresses(b.alu.add(base, b.alu.mul(lane, step)))

    def move(self, b: Builder, function: str, table: int) -> None:
        """Call the runtime's function that moves the lines."""
        b.runtime.call(
            function,
            b.index,
            self.space,
            self.lines,
            self.line_bytes,
            self.align,
            0,
            self.fragment.words,
            table,
        )

    def table(self, s: Statement, make: Callable[[str, Models], Table], verb: str) -> int:
        """The number of the table for one direction."""
        return s.names.table(self.fragment.variant, make, f"{verb}.{self.major}")


@instruction(
    "wmma.load",
    "wmma.load.{a,b,c}.sync.aligned.layout.shape{.ss}.type r, [p]{, stride}",
    cite="PTX ISA, Warp-level Matrix Load Instruction: wmma.load",
    gate=True,
)
def load(s: Statement) -> Emit:
    """A matrix from memory into a fragment."""
    moved = _Moved(s, "abc")
    destinations = moved.fragment.destinations(s)
    address, stride = s.address(moved.space), moved.stride(s)
    table = moved.table(s, fragment_load_table(moved.major), "load")
    s.undefines = s.defines = True

    def emit(b: Builder) -> None:
        gate(b, None)
        moved.place(b, address, stride)
        moved.move(b, "lm_ptx_matrix_load", table)
        for number, destination in enumerate(destinations):
            destination.write(b, result(b, moved.fragment, 0, number, not b.plan.precise))

    return emit


@instruction(
    "wmma.store",
    "wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r{, stride}",
    cite="PTX ISA, Warp-level Matrix Store Instruction: wmma.store",
    gate=True,
)
def store(s: Statement) -> Emit:
    """A matrix from a fragment to memory."""
    moved = _Moved(s, "d")
    address = s.address(moved.space)
    sources = moved.fragment.sources(s)
    stride = moved.stride(s)
    table = moved.table(s, fragment_store_table(moved.major), "store")

    def emit(b: Builder) -> None:
        gate(b, None)
        moved.place(b, address, stride)
        b.rows.store(0, [source.read(b) for source in sources])
        moved.move(b, "lm_ptx_matrix_store", table)

    return emit


def _float_rule(
    lowering: tensor_sums.Lowering, depth: int, kind: str, d: str, cores: str
) -> SumRule:
    kept = lowering.kept or d
    return float_rule(tensor_sums.unit(kind, kept, depth // len(lowering.machine), cores), kept)


def _types(s: Statement) -> tuple[str, str, str]:
    """Take the types of A (and B), D and C; f16 of A and B is not written."""
    if s.words_left == 2:
        c, d = s.type("f16 f32"), s.type("f16 f32")
        return "f16", d, c
    c, b, a, d = (s.type(_TYPES) for _ in range(4))
    if a != b or a == "f16":
        s.refuse(b)
    if c != d:
        s.refuse(c)
    return a, d, c


@instruction(
    "wmma.mma",
    "wmma.mma{.op.popc}.sync.aligned.alayout.blayout.shape{.rnd}.dtype{.atype.btype}"
    ".ctype{.satfinite} d, a, b, c",
    cite="PTX ISA, Warp-level Matrix Multiply-and-Accumulate Instruction: wmma.mma",
    gate=True,
)
def mma(s: Statement) -> Emit:
    """D = A x B + C of fragments."""
    for word in ("sync", "aligned"):
        s.choice(word)
    bits = s.choice("and xor") if s.flag("popc") else ""
    name = s.choice(_SHAPES)
    majors = s.majors()
    rounding = s.choice(ROUNDINGS, "")
    saturates = s.flag("satfinite")
    kind, d, c = _types(s)
    if saturates and (d != "s32" or kind == "b1"):
        s.refuse("satfinite")
    if (kind == "b1") != bool(bits):
        s.refuse(bits or kind)
    if rounding and kind != "f64":
        s.refuse(rounding)
    if kind in _SUBBYTE and majors != ("row", "col"):
        s.refuse(".".join(majors))
    shape = _shape(name, kind)
    cores = s.names.tensor_cores if d != "s32" else ""
    lowering = tensor_sums.wmma_lowering(shape.depth, kind, d, c, cores)
    if d == "s32":
        rule = integer_rule(saturates, bits == "xor")
    else:
        rule = _float_rule(lowering, shape.depth, kind, d, cores)
    return multiply(
        s,
        Product(
            shape.rows,
            shape.columns,
            shape.depth,
            _operand(shape, "D", d),
            _operand(shape, "A", kind),
            _operand(shape, "B", kind),
            _operand(shape, "C", c),
            rule,
            lowering.order(shape.depth),
            mode=MODES[rounding or "rn"],
        ),
    )

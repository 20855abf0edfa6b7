"""Matrices in the registers of a warp, as mma.sync and wmma.mma multiply them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.abi import Mma, Round
from lanemap.emulator.ptx.lower.access import Destination, Source
from lanemap.emulator.ptx.lower.runtime import gate
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS
from lanemap.emulator.ptx.lower.table import Emit
from lanemap.emulator.ptx.lower.tables import (
    Models,
    is_fragment,
    metadata_table,
    operand_table,
    scale_table,
)
from lanemap.emulator.ptx.text.kinds import BITS as REGISTER_BITS
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate, Vector
from lanemap.emulator.runtime.abi import Decides, Sum, SumRule
from lanemap.model import mma_scales

LANES = 32
#: Bits that hold an element, and the type of the registers that hold elements of it.
BITS = {
    "f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8,
    "e3m2": 8, "e2m3": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "e2m1": 4, "b1": 1,
}  # fmt: skip
_REGISTERS = {"f64": "f64", "f32": "f32"}


@dataclass(frozen=True)
class Fragment:
    """One operand.

    Attributes:
        variant: Its map's name in the model.
        kind: The type of its elements.
        elements: Elements that a lane holds.
        bits: Bits that hold an element, where they are others than `BITS` says.
    """

    variant: str
    kind: str
    elements: int
    bits: int = 0

    @property
    def words(self) -> int:
        """Registers of 32 bits that a lane holds."""
        return self.elements * (self.bits or BITS[self.kind]) // 32

    @property
    def register(self) -> str:
        """The PTX type of the registers of the instruction."""
        return _REGISTERS.get(self.kind, "b32")

    @property
    def registers(self) -> int:
        """How many of these it has."""
        return self.words * 32 // REGISTER_BITS[self.register]

    def sources(self, s: Statement) -> list[Source]:
        """Take it as a source."""
        return s.sources(self.register, self.registers)

    def destinations(self, s: Statement) -> list[Destination]:
        """Take it as a destination."""
        return s.destinations(self.register, self.registers)


@dataclass(frozen=True)
class Sparse:
    """The sparsity of A.

    Attributes:
        chunk: Elements that four bits of metadata describe.
        metadata: The name of the metadata's map in the model.
        ordered: Whether metadata must name elements in ascending order.
        steps: Machine instructions that divide the chunks among them.
    """

    chunk: int
    metadata: str
    ordered: bool
    steps: int


@dataclass(frozen=True)
class Scales:
    """The scales of A and B.

    Attributes:
        blocks: Blocks along k, each with its scale: N of .scale_vec::NX.
        kind: Their type: ue8m0 or ue4m3.
    """

    blocks: int
    kind: str


@dataclass(frozen=True)
class Product:
    """A product D = A x B + C of one warp.

    Attributes:
        rows: M.
        columns: N.
        depth: K.
        d: D; `a`, `b`, `c` likewise.
        rule: How products are added.
        order: The k in the order in which they are multiplied; None: as they are.
        products: Products of this size that the instruction makes side by side.
        mode: The rounding of fused multiply-adds.
        sparse: None where A is dense.
        scales: None where A and B have no scales.
    """

    rows: int
    columns: int
    depth: int
    d: Fragment
    a: Fragment
    b: Fragment
    c: Fragment
    rule: SumRule
    order: Sequence[int] | None
    products: int = 1
    mode: int = 0
    sparse: Sparse | None = None
    scales: Scales | None = None

    def _direct(self, models: Models) -> bool:
        """Whether the runtime finds elements where PTX puts them (ptx/c/mma.h)."""
        halves, wide = self.rows // 8, self.d.kind == "f64"
        if self.products > 1 or self.columns != 8 or BITS[self.d.kind] < 32:
            return False
        if wide and (self.mode != Round.NEAREST or self.rule.sum != Sum.FUSED):
            return False
        if not wide and self.rows != 16:
            return False
        column, half = np.ogrid[:8, :halves]
        k, of_row = np.ogrid[: self.depth, :halves]
        sums = 2 * half + column % 2, column // 2
        operands: list[tuple[Fragment, Sequence[int] | None, tuple[Any, Any]]]
        operands = [(self.c, None, sums), (self.d, None, sums)]
        if wide:
            operands += [
                (self.a, self.order, (k // 4 * halves + of_row, k % 4)),
                (self.b, self.order, (k // 4, k % 4)),
            ]
        return all(
            is_fragment(operand_table(order)(each.variant, models), *lies, BITS[each.kind] // 32)
            for each, order, lies in operands
        )

    def table(
        self, metadata_table: int, scale_tables: Sequence[int], models: Models
    ) -> NDArray[np.int32]:
        """The table with the runtime's form of it."""
        b_row = self.a.words
        c_row = b_row + self.b.words
        form = Mma(
            self.rule,
            self.rows,
            self.columns,
            self.depth,
            self.products,
            FORMATS[self.a.kind],
            FORMATS[self.b.kind],
            RESULTS[self.c.kind],
            RESULTS[self.d.kind],
            b_row,
            c_row,
            c_row + self.c.words,
            self.mode,
        )
        if self.sparse is not None:
            form.chunk, form.steps = self.sparse.chunk, self.sparse.steps
            form.ordered = int(self.sparse.ordered)
            form.metadata_row = form.d_row + self.d.words
            form.metadata_table = metadata_table
        if self.scales is not None:
            form.blocks, form.scale_format = self.scales.blocks, FORMATS[self.scales.kind]
            form.scale_row = form.d_row + self.d.words + (self.sparse is not None)
            form.scale_tables[:] = scale_tables
        form.direct = int(self._direct(models))
        return np.frombuffer(bytes(form), np.int32)


@dataclass(frozen=True)
class Further:
    """What else a product reads: metadata, scales.

    Attributes:
        sources: A row of scratch each.
        metadata: The number of the metadata's table.
        scales: Those of the tables of scales of A and B.
    """

    sources: Sequence[Callable[[Builder], Value]]
    metadata: int
    scales: Sequence[int]


def multiply(s: Statement, product: Product) -> Emit:
    """Take the operands d, a, b, c, metadata and scales; return what emits the product."""
    destinations = product.d.destinations(s)
    operands = [each.sources(s) for each in (product.a, product.b, product.c)]
    tables = [
        s.names.table(each.variant, operand_table(order))
        for each, order in (
            (product.a, product.order),
            (product.b, product.order),
            (product.c, None),
            (product.d, None),
        )
    ]
    further = _further(s, product)
    named = f"{s.instruction.name} {further.metadata}"
    tables.append(
        s.names.table(
            named,
            lambda name, models: product.table(further.metadata, further.scales, models),
        )
    )
    s.defines = True
    d_row = product.a.words + product.b.words + product.c.words

    def emit(b: Builder) -> None:
        gate(b, None)
        values = [source.read(b) for sources in operands for source in sources]
        extra = [read(b) for read in further.sources]
        checked = any(value.undefined is not None for value in (*values, *extra))
        b.rows.store(0, values, optional=not checked, whole=True)  # else rows are looked at
        b.rows.store(d_row + product.d.words, extra, optional=not checked)
        b.runtime.call("lm_ptx_mma", b.index, *tables, int(checked), Decides.MATRIX)
        for number, destination in enumerate(destinations):
            if product.d.kind == "f64":
                destination.write(b, b.rows.load_whole(d_row + 2 * number, "double"))
            else:
                destination.write(b, result(b, product.d, d_row, number))

    return emit


def _further(s: Statement, product: Product) -> Further:
    """Take the metadata and its selector, and the scales and theirs."""
    sources: list[Callable[[Builder], Value]] = []
    metadata, tables = 0, [0, 0]
    if product.sparse is not None:
        sources += [each.read for each in s.sources("b32", 1)]
        s.immediate()
        metadata = s.names.table(product.sparse.metadata, metadata_table)
    if product.scales is not None:
        blocks = product.scales.blocks
        found = [_scales(s, operand, blocks) for operand in mma_scales.LINES]
        sources += [read for each in zip(*found, strict=True) for read in each]
        tables = [
            s.names.table(f"scales of {operand}, {blocks}X", scale_table(operand, blocks))
            for operand in mma_scales.LINES
        ]
    return Further(sources, metadata, tables)


def _scales(s: Statement, operand: str, blocks: int) -> tuple[Callable[[Builder], Value], ...]:
    """Take the scales of an operand, and {byte-id, thread-id} as one word.

    Raises:
        OperandError: a selector is a constant that selects nothing.
    """
    data = s.sources("b32", 1)[0]
    given = s.operand()
    parts = given.elements if isinstance(given, Vector) else ()
    if len(parts) != 2:
        raise OperandError(f"`{given}` must be {{byte-id, thread-id}}")
    legal = (mma_scales.BYTES[blocks], range(mma_scales.THREADS[operand]))
    for part, name, values in zip(parts, ("byte-id", "thread-id"), legal, strict=True):
        if isinstance(part, Immediate) and part.value not in values:
            raise OperandError(
                f"`{s.instruction.text}`: {name} of {operand} is one of "
                f"{', '.join(map(str, values))} here, not {part.value}"
            )
    byte, thread = (s.source_of(part, "u16", True) for part in parts)

    def selectors(b: Builder) -> Value:
        low, high = (b.alu.zext(each.read(b), "i32") for each in (byte, thread))
        return b.alu.or_(low, b.alu.shl(high, b.ir.constant("i32", 16)))

    return data.read, selectors


def result(b: Builder, fragment: Fragment, row: int, number: int, defined: bool = True) -> Value:
    """The register of that number, from the scratch rows that begin at `row`."""
    if fragment.kind == "f64":
        low, high = (b.rows.load(row + 2 * number + half, defined) for half in range(2))
        return b.alu.bitcast(b.alu.join(low, high), "double")
    value = b.rows.load(row + number, defined)
    return b.alu.bitcast(value, "float") if fragment.kind == "f32" else value

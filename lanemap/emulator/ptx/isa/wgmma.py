"""wgmma: a warpgroup multiplies matrices of shared memory, asynchronously.

NVIDIA PTX ISA, Asynchronous Warpgroup Level Matrix Instructions. The model gives the place of each
element of D, and of A in registers (lanemap/model/wgmma.py), and the rule of the sums
(lanemap/model/tensor_sums.py); ptx/c/wgmma.c finds operands in shared memory and multiplies.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.isa.common import same_in_warp
from lanemap.emulator.ptx.lower.abi import WgmmaForm, WgmmaRow
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import gate, unless_waiting
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS, float_rule, integer_rule
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.lower.tables import (
    metadata_table,
    wgmma_a_table,
    wgmma_d_table,
    wgmma_tile_table,
)
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Vector
from lanemap.model import tensor_sums
from lanemap.model.wgmma import RESULTS as RESULT_BITS
from lanemap.model.wgmma import STEP_BITS, TYPES, legal_columns

_CITE = "PTX ISA, Asynchronous Warpgroup Level Matrix Instructions: {}"
_A_REGISTERS = 4
_FP8, _BYTES = ("e4m3", "e5m2"), ("s8", "u8")
#: Types of D for each type of A, and the types of B that go with it.
_D = {
    "f16": ("f16", "f32"),
    **dict.fromkeys(_FP8, ("f16", "f32")),
    **dict.fromkeys(("bf16", "tf32"), ("f32",)),
    **dict.fromkeys((*_BYTES, "b1"), ("s32",)),
}
_B = {
    **{kind: (kind,) for kind in ("f16", "bf16", "tf32", "b1")},
    **dict.fromkeys(_FP8, _FP8),
    **dict.fromkeys(_BYTES, _BYTES),
}


@dataclass(frozen=True)
class Kind:
    """Shape and types of one instruction.

    Attributes:
        columns: N.
        depth: K.
        d: Type of D; `a` and `b` likewise.
        saturate: `.satfinite`.
        sparse: A has two of four elements, or one of two.
    """

    columns: int
    depth: int
    d: str
    a: str
    b: str
    saturate: bool
    sparse: bool

    @property
    def d_registers(self) -> int:
        """Registers of D in each thread."""
        return self.columns * RESULT_BITS[self.d] // 64

    @property
    def d_variant(self) -> str:
        """D as the model names it."""
        return f"wgmma.m64n{self.columns}.{self.d}:D"

    @property
    def a_variant(self) -> str:
        """A in registers as the model names it."""
        return f"wgmma.m64k{STEP_BITS // TYPES[self.a]}.{self.a}:A"

    def metadata_variant(self, selector: int) -> str:
        """The metadata of a sparse A as the model names them."""
        return f"wgmma.m64k{self.depth}.{self.a}.sp{selector}:E"

    def in_pairs(self, table: NDArray[np.int32]) -> bool:
        """Whether D lies as the runtime's swap_pairs moves it, which is faster than by element."""
        if RESULT_BITS[self.d] < 32:
            return False
        warp, register, lane = np.ogrid[:4, : self.d_registers, :32]
        row = 16 * warp + lane // 4 + register // 2 % 2 * 8
        column = register // 4 * 8 + lane % 4 * 2 + register % 2
        return bool(np.array_equal((row * self.columns + column).reshape(-1), table))

    def form(
        self,
        registers: bool,
        majors: tuple[int, int],
        negate: bool,
        tables: list[int],
        tiles: list[NDArray[np.int32]],
        pairs: bool,
    ) -> NDArray[np.int32]:
        """The table with the runtime's form of it; `tables` are those of D, A and metadata."""
        d_table, a_table, metadata = tables
        if self.d == "s32":
            rule = integer_rule(self.saturate)
        else:
            rule = float_rule(tensor_sums.wgmma_unit(self.a, self.d, self.depth), self.d)
        shape = self.columns << 16 | self.depth << 4 | RESULTS[self.d]
        places, words = [], ctypes.sizeof(WgmmaForm) // 4
        for tile in tiles:
            places.append(words if tile.size else 0)
            words += tile.size
        form = WgmmaForm(
            rule=rule,
            columns=self.columns,
            depth=self.depth,
            bits=TYPES[self.a],
            a_format=FORMATS[self.a],
            b_format=FORMATS[self.b],
            a_registers=int(registers),
            a_mn=majors[0],
            b_mn=majors[1],
            negate=int(negate),
            d_registers=self.d_registers,
            shape=shape,
            d_table=d_table,
            a_table=a_table,
            sparse=int(self.sparse),
            metadata_table=metadata,
            tiles=(ctypes.c_uint32 * len(places))(*places),
            pairs=int(pairs),
            direct=int(pairs and self.d == "f32"),
        )
        return np.concatenate([np.frombuffer(bytes(form), np.int32), *tiles])


def _kind(s: Statement) -> Kind:
    """Take shape and types.

    Raises:
        OperandError: they do not go together.
    """
    sparse = s.flag("sp")
    for word in ("sync", "aligned"):
        s.choice(word)
    if s.flag("popc"):
        s.choice("and")
    b, a, d = (s.type(" ".join((*TYPES, *RESULT_BITS))) for _ in range(3))
    saturate = s.flag("satfinite")
    if a not in _D or b not in _B[a] or d not in _D[a] or (saturate and a not in _BYTES):
        raise OperandError(f"`{s.instruction.name}`: these types cannot be combined")
    if sparse and a == "b1":
        raise OperandError(f"`{s.instruction.name}`: there is no sparse form of .b1")
    depth = STEP_BITS // TYPES[a] * (2 if sparse else 1)
    shapes = {f"m64n{n}k{depth}": n for n in legal_columns(d)}
    shape = s.choice(" ".join(shapes), "")
    if not shape:
        raise OperandError(f"`{s.instruction.name}` needs a shape .m64nNk{depth} with a legal N")
    return Kind(shapes[shape], depth, d, a, b, saturate, sparse)


def _flags(s: Statement, kind: Kind, registers: bool) -> tuple[bool, tuple[int, int]]:
    """Take the immediate operands: whether products are negated, and which operands are MN-major.

    Raises:
        OperandError: one is out of range.
    """
    negate, majors = False, [0, 0]
    if kind.d != "s32":
        for _ in range(2):
            scale = s.immediate()
            if scale not in (1, -1):
                raise OperandError(f"`{s.instruction.text}`: imm-scale is 1 or -1, not {scale}")
            negate ^= scale < 0
    if TYPES[kind.a] == 16:
        for operand in range(1 if registers else 0, 2):
            majors[operand] = s.immediate()
            if majors[operand] not in (0, 1):
                raise OperandError(f"`{s.instruction.text}`: imm-trans is 0 or 1")
    return negate, (majors[0], majors[1])


def _selector(s: Statement, kind: Kind) -> int:
    """Take which threads of a quad give the metadata.

    Raises:
        OperandError: there is no such selector.
    """
    selector = s.immediate()
    if selector not in ((0,) if TYPES[kind.a] == 8 else (0, 1)):
        raise OperandError(
            f"`{s.instruction.text}`: {selector} is not a sparsity selector of .{kind.a}"
        )
    return selector


def _tiles(s: Statement, bits: int, majors: tuple[int, int]) -> list[NDArray[np.int32]]:
    """Tiles whose layout somebody replaced, for A and B and each swizzle; empty ones for others."""
    names = [
        f"shared.{'mn' if mn else 'k'}_major.{swizzle}.{bits}bit"
        for mn in majors
        for swizzle in ("none", "128b", "64b", "32b")
    ]
    return [s.names.replaced(name, wgmma_tile_table) for name in names]


def _tracked(registers: list[Register]) -> list[int]:
    return [register.tracked for register in registers]


@instruction(
    "wgmma.mma_async",
    "wgmma.mma_async{.sp}.sync.aligned.shape{.satfinite}.dtype.atype.btype{.and.popc} d, "
    "a|a-desc, b-desc{, sp-meta, sp-sel}, scale-d{, imm-scale-a, imm-scale-b{, imm-trans-a}"
    "{, imm-trans-b}}",
    cite=_CITE.format("wgmma.mma_async"),
    gate=True,
    needs="wgmma",
)
def mma_async(s: Statement) -> Emit:
    """D = A x B + D, or A x B, of the four warps together."""
    s.names.use_warpgroups()
    kind = _kind(s)
    first = s.operand()
    s.give_back(first)
    s.destinations("b32", kind.d_registers)
    d = s.writes[-kind.d_registers :]
    s.give_back(first)
    s.sources("b32", kind.d_registers)
    registers = isinstance(s.next_operand(), Vector)
    taken = len(s.reads)
    a = s.sources("b32", _A_REGISTERS) if registers else [s.source("b64")]
    a_registers = s.reads[taken:] if registers else []
    far = s.source("b64")
    metadata, selector = ([s.source("b32")], _selector(s, kind)) if kind.sparse else ([], 0)
    adds = s.source("pred")
    negate, majors = _flags(s, kind, registers)
    tables = [
        s.names.table(kind.d_variant, wgmma_d_table),
        s.names.table(kind.a_variant, wgmma_a_table) if registers else 0,
        s.names.table(kind.metadata_variant(selector), metadata_table) if metadata else 0,
    ]
    tiles = _tiles(s, TYPES[kind.a], majors)
    pairs = kind.in_pairs(s.names.tables[tables[0]])
    form = s.names.add_table(kind.form(registers, majors, negate, tables, tiles, pairs))
    used = s.names.add_slots(d, _tracked([*d, *a_registers]))
    s.defines = True

    def emit(b: Builder) -> None:
        gate(b, None, last=False)
        with b.pending.untouched():
            inputs = [b.registers.peek(register) for register in a_registers]
        given = [source.read(b) for source in metadata]
        checked = any(value.undefined is not None for value in (*inputs, *given))
        b.rows.store(WgmmaRow.ROW_A, inputs, optional=not checked)
        b.rows.store(WgmmaRow.ROW_A + _A_REGISTERS, given, optional=not checked)
        doubtful = sum(1 << i for i, register in enumerate(d) if b.plan.shadowed(register))
        near = b.ir.constant("i64", 0) if registers else _uniform(b, a[0])
        status = b.runtime.call(
            "lm_wgmma",
            b.index,
            b.plan.block,
            form,
            used,
            near,
            _uniform(b, far),
            _uniform(b, adds),
            int(checked),
            *_halves(doubtful),
        )
        unless_waiting(b, status, "multiplied")
        b.registers.refilled(d)
        b.pending.begin_segment()

    return emit


def _halves(numbers: int) -> tuple[int, int]:
    """A set of 128 numbers as two i64, which are signed."""
    low, high = (numbers >> shift & (1 << 64) - 1 for shift in (0, 64))
    return low - (low >> 63 << 64), high - (high >> 63 << 64)


def _uniform(b: Builder, source: Source) -> Value:
    """An operand that all lanes must give alike, as an i64."""
    value = b.alu.zext(source.read(b), "i64")
    return same_in_warp(b, value, "operand", Rule.TADDR_DIFFERS)


def _begin(s: Statement) -> None:
    s.names.use_warpgroups()
    for word in ("sync", "aligned"):
        s.choice(word)


@instruction(
    "wgmma.fence",
    "wgmma.fence.sync.aligned",
    cite=_CITE.format("wgmma.fence"),
    gate=True,
    needs="wgmma",
)
def fence(s: Statement) -> Emit:
    """Registers written so far may be used by the next wgmma."""
    _begin(s)

    def emit(b: Builder) -> None:
        gate(b, None)
        b.runtime.call("lm_wgmma_fence")

    return emit


@instruction(
    "wgmma.commit_group",
    "wgmma.commit_group.sync.aligned",
    cite=_CITE.format("wgmma.commit_group"),
    gate=True,
    needs="wgmma",
)
def commit_group(s: Statement) -> Emit:
    """The wgmmas since the last commit are one group."""
    _begin(s)

    def emit(b: Builder) -> None:
        gate(b, None)
        b.runtime.call("lm_wgmma_commit")
        b.pending.begin_segment()  # what a read of D is depends on whether it comes before this

    return emit


@instruction(
    "wgmma.wait_group",
    "wgmma.wait_group.sync.aligned N",
    cite=_CITE.format("wgmma.wait_group"),
    gate=True,
    needs="wgmma",
)
def wait_group(s: Statement) -> Emit:
    """All groups but the last N are complete."""
    _begin(s)
    left = s.immediate()
    if left < 0:
        raise OperandError(f"`{s.instruction.text}`: the number of groups must not be negative")

    def emit(b: Builder) -> None:
        gate(b, None)
        b.runtime.call("lm_wgmma_wait", left)
        b.pending.begin_segment()

    return emit

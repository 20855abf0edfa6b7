"""Tensor maps and the copies that use them (NVIDIA PTX ISA, Tensors; Data Movement).

ptx/c/tma.c moves boxes of tensors; lanemap/model/tensor_map_bits.py says where the
fields of a map lie.
"""

from __future__ import annotations

import functools

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.async_copies import COMPLETES, defined, wide
from lanemap.emulator.ptx.isa.memory import SPACES, take_policy
from lanemap.emulator.ptx.lower.abi import TmaHow, TmaMode, TmaRow, TmaStore
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.runtime import acquire, gate, mask64, release
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.lower.tables import tensor_swizzles
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Address, Vector
from lanemap.emulator.runtime.abi import Space
from lanemap.model.tensor_map_bits import FIELDS
from lanemap.targets import features_of

_CITE = "PTX ISA, Data Movement and Conversion Instructions: {}"
_RANKS = "1d 2d 3d 4d 5d"
_ROW_MODES = ("tile::gather4", "tile::scatter4")


class _Operands:
    """A tensor map with coordinates, and the offsets of im2col: the rows that a copy takes."""

    def __init__(self, s: Statement, modes: str) -> None:
        """Take the modifiers that say which boxes are moved."""
        s.names.use_mbarriers()
        self.rank = int(s.choice(_RANKS)[0])
        mode = s.choice(modes, "tile")
        if mode.startswith("im2col::"):
            raise OperandError(
                f"`.{mode}` is not supported: no source says how it continues past the end of the "
                "box"
            )
        if mode.startswith("im2col") and self.rank < 3:
            raise OperandError(f"`{s.instruction.name}` needs 3 to 5 dimensions")
        if mode in _ROW_MODES:
            s.names.require(mode)
            if self.rank != 2:
                raise OperandError(f"`.{mode}` takes tensors of two dimensions")
        four = mode in _ROW_MODES
        self.gathers = mode == "tile::gather4"
        self.mode = (
            TmaMode.FOUR_ROWS if four else TmaMode.IM2COL if "im2col" in mode else TmaMode.TILE
        )
        self.coordinates = 5 if four else self.rank
        heeded = "swizzle atomicity" in features_of(s.names.gpu)
        swizzles = functools.partial(tensor_swizzles, atomicities=heeded)
        self.table = s.names.table("cp.async.bulk.tensor.swizzle", swizzles)
        self.offset_count = self.rank - 2 if mode == "im2col" else 0

    def take_map(self, s: Statement) -> None:
        """Take `[map, {coordinates}]`."""
        operand = s.operand()
        if not isinstance(operand, Address) or len(operand.indices) != 1:
            raise OperandError(f"`{operand}` must be a tensor map with its coordinates")
        (given,) = operand.indices
        elements = given.elements if isinstance(given, Vector) else (given,)
        if len(elements) != self.coordinates:
            raise OperandError(f"`{operand}` must have {self.coordinates} coordinates")
        self.address = s.address_of(Address(operand.base, operand.offset), Space.GENERIC)
        self.starts = [s.source_of(each, "s32") for each in elements]
        self.offsets: list[Source] = []

    def take_offsets(self, s: Statement) -> None:
        """Take the offsets of im2col."""
        if self.offset_count:
            self.offsets = s.sources("u16", self.offset_count)

    def store(self, b: Builder) -> None:
        """Put all into scratch rows from 0 on."""
        values = [wide(b, self.address), *(defined(b, each, "operand") for each in self.starts)]
        b.rows.store(TmaRow.ROW_MAP, values)
        if self.offsets:
            b.rows.store(
                TmaRow.ROW_OFFSETS,
                [b.alu.zext(defined(b, each, "operand"), "i32") for each in self.offsets],
            )

    def call(self, b: Builder, function: str, *more: int) -> None:
        """Call a function of ptx/c/tma.c with what `store` put into the rows."""
        b.runtime.call(function, b.index, mask64(b), 0, self.mode, self.rank, self.table, *more)


@instruction(
    "cp.async.bulk.tensor",
    "cp.async.bulk.tensor.dim.shared::cta|shared::cluster.global{.load_mode}"
    ".mbarrier::complete_tx::bytes{.multicast::cluster}{.cta_group}{.hint} "
    "[dst], [map, {coordinates}], [mbar]{, {offsets}}{, ctaMask}{, policy}; "
    "cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.hint} "
    "[map, {coordinates}], [src]{, policy}",
    cite=_CITE.format("cp.async.bulk.tensor"),
    needs="bulk copies",
)
def copy(s: Statement) -> Emit:
    """Copy a box of a tensor; each thread that executes it copies its own."""
    hinted = s.flag("L2::cache_hint")
    if s.flag("bulk_group"):
        operands = _Operands(s, "tile::scatter4 tile im2col_no_offs")
        return _store(s, operands, int(TmaStore.STORE), hinted)
    s.choice(COMPLETES)
    operands = _Operands(s, "tile::gather4 tile im2col::w::128 im2col::w im2col")
    to = s.choice("shared::cluster shared::cta")
    if operands.gathers and to == "shared::cluster":
        s.names.require("gather4 to a cluster")
    s.choice("global")
    how = TmaHow.MULTICAST if s.flag("multicast::cluster") else 0
    if how and to == "shared::cta":
        s.refuse("multicast::cluster")
    group = s.choice("cta_group::1 cta_group::2", "")
    if group:
        s.names.require("tensor copies of pairs", group)
        s.names.use_cta_group(int(group[-1]))
    how |= TmaHow.PAIR if group == "cta_group::2" else 0
    target = s.address(Space.CLUSTER)
    operands.take_map(s)
    barrier = s.address(Space.CLUSTER)
    operands.take_offsets(s)
    ctas = s.source("b16") if how & TmaHow.MULTICAST else None
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(target.read(b))
        operands.store(b)
        b.rows.store(TmaRow.ROW_BARRIER, [wide(b, barrier)])
        if ctas is not None:
            b.rows.store(TmaRow.ROW_CTAS, [b.alu.zext(defined(b, ctas, "operand"), "i32")])
        operands.call(b, "lm_tma_load", how)

    return emit


def _store(s: Statement, operands: _Operands, operation: int, hinted: bool) -> Emit:
    s.choice("global")
    s.choice("shared::cta")
    operands.take_map(s)
    source = s.address(Space.SHARED)
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(source.read(b))
        operands.store(b)
        operands.call(b, "lm_tma_store", operation)

    return emit


@instruction(
    "cp.reduce.async.bulk.tensor",
    "cp.reduce.async.bulk.tensor.dim.global.shared::cta.op{.load_mode}.bulk_group{.hint} "
    "[map, {coordinates}], [src]{, policy}",
    cite=_CITE.format("cp.reduce.async.bulk.tensor"),
    needs="bulk copies",
)
def reduce(s: Statement) -> Emit:
    """Reduce a box of shared memory into a tensor; the map says of which type."""
    hinted = s.flag("L2::cache_hint")
    s.choice("bulk_group")
    operation = s.choice("add min max inc dec and or xor")
    operands = _Operands(s, "tile im2col_no_offs")
    return _store(s, operands, int(TmaStore[operation.upper()]), hinted)


@instruction(
    "cp.async.bulk.prefetch.tensor",
    "cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.hint} [map, {coordinates}]"
    "{, {offsets}}{, policy}",
    cite=_CITE.format("cp.async.bulk.prefetch.tensor"),
    needs="bulk copies",
)
def prefetch(s: Statement) -> Emit:
    """Fetch a box to a cache: a hint, of which only the map and the coordinates are checked."""
    hinted = s.flag("L2::cache_hint")
    operands = _Operands(s, "tile::gather4 tile im2col::w::128 im2col::w im2col")
    if operands.gathers:
        s.names.require("gather4 to a cluster")
    s.choice("L2")
    s.choice("global")
    operands.take_map(s)
    operands.take_offsets(s)
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        operands.store(b)
        operands.call(b, "lm_tma_prefetch")

    return emit


# -- maps in memory --------------------------------------------------------------------------------
#: Each field's name in lanemap/model/tensor_map_bits.py.
_FIELDS = {
    "global_address": "address", "rank": "rank", "box_dim": "box", "global_dim": "size",
    "global_stride": "stride", "element_stride": "step", "elemtype": "type",
    "interleave_layout": "interleave", "swizzle_mode": "swizzle",
    "swizzle_atomicity": "atomicity", "fill_mode": "fill",
}  # fmt: skip
#: Values that a field in an immediate may have.
_VALUES = {
    "elemtype": 16, "interleave_layout": 3, "swizzle_mode": 4, "swizzle_atomicity": 4,
    "fill_mode": 2,
}  # fmt: skip
#: By the ISA's numbers of types, those of a map, where they differ.
_ELEMENT_CODES = {11: 7, 12: 8, 13: 11, 14: 12, 15: 13}


def _take_value(s: Statement, field: str, kind: str) -> Source | int:
    """Take the new value: an immediate for the fields of few values."""
    if field not in _VALUES:
        return s.source(kind)
    value = s.immediate()
    if not 0 <= value < _VALUES[field]:
        raise OperandError(f"`{s.instruction.text}`: .{field} has values 0 to {_VALUES[field] - 1}")
    if field == "swizzle_atomicity" or value > 12:
        s.names.require("tensor map fields", f"{field} {value}")
    return value


def _changes(b: Builder, field: str, ordinal: int, value: Source | int) -> list[tuple[Value, ...]]:
    """Which bits a replacement writes: value, first bit, width, and the first of high bits."""
    place = FIELDS[_FIELDS[field]]
    bit, width, high = place.at(ordinal), place.width, 0

    def constant(number: int) -> Value:
        return b.ir.constant("i64", number)

    if isinstance(value, int):
        code = _ELEMENT_CODES.get(value, value) if field == "elemtype" else value
        found = [(constant(code), bit, width, 0)]
        if field == "elemtype" and value in (11, 12):
            found.append((constant(1), FIELDS["rounds"].bit, 1, 0))
        if field == "swizzle_mode":
            found.append((constant(0), FIELDS["unknown"].bit, 1, 0))
        return found  # type: ignore[return-value]
    number = b.alu.zext(defined(b, value, "operand"), "i64")
    if field in ("box_dim", "global_dim", "element_stride"):
        number = b.alu.sub(number, constant(1))
    if field == "global_stride":
        number, high = b.alu.lshr(number, constant(4)), FIELDS["stride_high"].at(ordinal)
    return [(number, bit, width, high)]  # type: ignore[list-item]


@instruction(
    "tensormap.replace",
    "tensormap.replace.tile.field{.global|.shared::cta}.b1024.type [addr]{, ord}, new_val",
    cite=_CITE.format("tensormap.replace")
    + "; the bits are those that an H200 writes, of Blackwell's fields those of ptxas 13.0",
    needs="bulk copies",
)
def replace(s: Statement) -> Emit:
    """Replace one field of a tensor map; the whole object is read and written."""
    s.choice("tile")
    field = s.choice(" ".join(_FIELDS))
    space = SPACES[s.choice("global shared::cta", "")]
    s.choice("b1024")
    kind = s.type("b32 b64")
    if (kind == "b64") != (field in ("global_address", "global_stride")):
        right = "b64" if kind == "b32" else "b32"
        raise OperandError(f"`{s.instruction.name}`: .{field} needs .{right}")
    address = s.address(space)
    ordinal = s.immediate() if FIELDS[_FIELDS[field]].step else 0
    if not 0 <= ordinal < (4 if field == "global_stride" else 5):
        raise OperandError(f"`{s.instruction.text}`: there is no .{field} {ordinal}")
    value = _take_value(s, field, kind)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        for number, bit, width, high in _changes(b, field, ordinal, value):
            b.rows.store(0, [number])
            b.runtime.call("lm_tensormap_replace", b.index, space, mask64(b), 0, bit, width, high)

    return emit


@instruction(
    "tensormap.cp_fenceproxy",
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned "
    "[dst], [src], 128",
    cite="PTX ISA, Parallel Synchronization and Communication: tensormap.cp_fenceproxy",
    gate=True,
    needs="bulk copies",
)
def cp_fenceproxy(s: Statement) -> Emit:
    """Copy a tensor map to global memory, and release it to its proxy; once for the warp."""
    for word in ("global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"):
        s.choice(word)
    scope = s.choice("cta cluster gpu sys")
    target, source = s.address(Space.GLOBAL), s.address(Space.SHARED)
    if s.immediate() != 128:
        raise OperandError("tensormap.cp_fenceproxy copies 128 bytes")
    s.names.use_mbarriers()

    def emit(b: Builder) -> None:
        gate(b, None)
        b.memory.set_addresses(target.read(b))
        b.rows.store(0, [wide(b, source)])
        b.runtime.call("lm_tensormap_copy", b.index, mask64(b), 0)
        release(b, scope)

    return emit


@instruction(
    "fence.proxy.tensormap::generic",
    "fence.proxy.tensormap::generic.release.scope; "
    "fence.proxy.tensormap::generic.acquire.scope [addr], 128",
    cite="PTX ISA, Parallel Synchronization and Communication: fence.proxy",
    needs="bulk copies",
)
def fence_tensormap(s: Statement) -> Emit:
    """Hand a modified tensor map to its proxy, or use it as it is now in this CTA."""
    s.names.use_mbarriers()
    sem, scope = s.choice("acquire release"), s.choice("cta cluster gpu sys")
    if sem == "release":
        return lambda b: release(b, scope)
    address = s.address(Space.GENERIC)
    if s.immediate() != 128:
        raise OperandError("fence.proxy.tensormap takes 128 bytes")

    def emit(b: Builder) -> None:
        acquire(b, scope)
        b.memory.set_addresses(address.read(b))
        b.runtime.call("lm_tensormap_acquire", mask64(b))

    return emit

"""Asynchronous stores and reductions, cluster launch control (NVIDIA PTX ISA).

Data Movement: st.async, cp.reduce.async.bulk; Parallel Synchronization: red.async,
clusterlaunchcontrol. ptx/c/async_reduce.c and cluster_launch.c do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.async_copies import COMPLETES, defined, wide
from lanemap.emulator.ptx.isa.memory import SPACES, Elements, Order, take_policy
from lanemap.emulator.ptx.lower.abi import Reduction
from lanemap.emulator.ptx.lower.runtime import mask64
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Register
from lanemap.emulator.runtime import abi

_CITE = "PTX ISA, Data Movement and Conversion Instructions: {}"
_SYNC = "PTX ISA, Parallel Synchronization and Communication Instructions: {}"
#: Types of each operation of red.async (ptxas takes add.s64, which the ISA's table leaves out), and
#: of cp.reduce.async.bulk by its destination.
_RED_ASYNC = {
    "inc": "u32", "dec": "u32", "min": "u32 s32", "max": "u32 s32", "and": "b32", "or": "b32",
    "xor": "b32", "add": "u32 s32 u64 s64",
}  # fmt: skip
_TO_SHARED = {**_RED_ASYNC, "add": "u32 s32 u64"}
_TO_GLOBAL = {
    "inc": "u32", "dec": "u32", "min": "u32 s32 u64 s64 f16 bf16",
    "max": "u32 s32 u64 s64 f16 bf16", "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64",
    "add": "u32 s32 u64 f32 f64 f16 bf16",
}  # fmt: skip


def _reduction(name: str, kind: str) -> int:
    """Return the runtime's number of an operation on a type."""
    if kind in ("f16", "bf16"):
        return int(Reduction[f"{kind}_{name}".upper()])
    if kind in ("f32", "f64"):
        return int(Reduction.FLOAT_ADD)
    signed = name in ("min", "max")
    return int(
        abi.Atomic[f"{'S' if kind[0] == 's' else 'U'}{name.upper()}" if signed else name.upper()]
    )


def _take_operation(s: Statement, types: dict[str, str]) -> tuple[str, str]:
    """Take the operation and its type."""
    kind = s.type(" ".join(sorted({word for row in types.values() for word in row.split()})))
    name = s.choice(" ".join(types))
    if kind not in types[name].split():
        raise OperandError(f"`{s.instruction.name}`: .{name} takes .{types[name]}")
    return name, kind


def _store(s: Statement, raw: str, count: int, space: int, reduction: int | None) -> Emit:
    """Store or reduce one lane's value, and complete its bytes at an mbarrier."""
    s.names.use_mbarriers()
    address = s.address(space)
    wide_value = BITS[raw] == 128
    sources = s.wide_sources(1) if wide_value else s.sources(raw, count)
    barrier = s.address(space)
    elements = Elements(raw, count)

    def emit(b: Builder) -> None:
        values = [b.alu.bitcast(source.read(b), f"i{elements.bits}") for source in sources]
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [wide(b, barrier), *elements.pack(b, values)])
        b.runtime.call(
            "lm_async_store",
            b.index,
            mask64(b),
            space,
            0,
            elements.size,
            int(reduction is not None),
            reduction or 0,
        )

    return emit


@instruction(
    "st.async",
    "st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [mbar]; "
    "st.async{.mmio}.release.scope{.global}.type [a], b",
    cite=_CITE.format("st.async"),
    needs="bulk copies",
)
def store(s: Statement) -> Emit:
    """Store to the shared memory of a CTA of the cluster, whose mbarrier counts the bytes."""
    if s.flag("release"):
        return _release_store(s)
    kind = s.type("b32 b64 u32 u64 s32 s64 f32 f64")
    s.flag("weak")
    space = SPACES[s.choice("shared::cluster", "")]
    s.choice(COMPLETES)
    count = int(s.choice("v2 v4", "v1")[1:])
    if count == 4 and BITS[kind] == 64:
        raise OperandError(f"`{s.instruction.name}`: .v4 takes elements of 32 bits")
    raw = kind if s.holds_float() else f"b{BITS[kind]}"
    return _store(s, raw, count, space, None)


def _global_scope(s: Statement) -> Order:
    """Take the scope and the space of a release to global memory, which sm_100 has."""
    s.names.require("release to global", f"{s.instruction.opcode}.async.release")
    mmio = s.flag("mmio")
    scope = s.choice("sys" if mmio else "gpu sys")
    s.choice("global", "")
    return Order("release", scope, True, s.names)


def _release_store(s: Statement) -> Emit:
    """Store with release semantics: whoever sees it and acquires sees what came before."""
    kind = s.type("b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64")
    order = _global_scope(s)
    address = s.address(abi.Space.GLOBAL)
    source = s.source(kind if s.holds_float() else f"b{BITS[kind]}", wider=True)
    elements = Elements(f"b{BITS[kind]}", 1)

    def emit(b: Builder) -> None:
        value = b.alu.bitcast(source.read(b), f"i{elements.bits}")
        order.before(b, abi.Space.GLOBAL)
        b.memory.store(
            abi.Space.GLOBAL,
            address.read(b),
            elements.pack(b, [value]),
            elements.size,
            align=elements.size,
            relaxed=True,
            scope=order.kind,
        )

    return emit


@instruction(
    "st.bulk",
    "st.bulk{.weak}{.shared::cta} [a], size, 0",
    cite=_CITE.format("st.bulk"),
    needs="st.bulk",
)
def store_bulk(s: Statement) -> Emit:
    """Set `size` bytes of shared memory to zero."""
    s.flag("weak")
    space = SPACES[s.choice("shared::cta", "")]
    address, operand = s.address(space), s.next_operand()
    wide_size = isinstance(operand, Register) and operand.type in ("b64", "u64", "s64")
    size = s.source("b64" if wide_size else "b32")
    if s.immediate():
        raise OperandError(f"`{s.instruction.name}` can only set memory to 0")

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [b.alu.zext(defined(b, size, "operand"), "i64")])
        b.runtime.call("lm_store_bulk", b.index, space, mask64(b), 0)

    return emit


@instruction(
    "red.async",
    "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type [a], b, "
    "[mbar]; red.async{.mmio}.release.scope{.global}.add.type [a], b",
    cite=_SYNC.format("red.async"),
    needs="bulk copies",
)
def reduce(s: Statement) -> Emit:
    """Reduce in the shared memory of a CTA of the cluster, whose mbarrier counts the bytes."""
    if s.flag("release"):
        return _release_add(s)
    name, kind = _take_operation(s, _RED_ASYNC)
    s.choice("relaxed")
    s.choice("cluster")
    space = SPACES[s.choice("shared::cluster", "")]
    s.choice(COMPLETES)
    return _store(s, f"b{BITS[kind]}", 1, space, _reduction(name, kind))


def _release_add(s: Statement) -> Emit:
    """Add with release semantics."""
    kind = s.type("u32 s32 u64 s64")
    order = _global_scope(s)
    s.choice("add")
    address, source = s.address(abi.Space.GLOBAL), s.source(f"b{BITS[kind]}")
    s.polls = True

    def emit(b: Builder) -> None:
        order.before(b, abi.Space.GLOBAL)
        b.memory.atomic(
            abi.Space.GLOBAL,
            "add",
            address.read(b),
            source.read(b),
            align=BITS[kind] // 8,
            flags=order.kind,
        )

    return emit


@instruction(
    "cp.reduce.async.bulk",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.op.type [dst], "
    "[src], size, [mbar]; cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint}.op{.noftz}"
    ".type [dst], [src], size{, policy}",
    cite=_CITE.format("cp.reduce.async.bulk"),
    needs="bulk copies",
)
def reduce_bulk(s: Statement) -> Emit:
    """Reduce an array in place with one in shared memory; every element by itself is atomic."""
    if s.peek("tensor"):
        raise OperandError(f"`{s.instruction.name}` is not supported")
    s.names.use_mbarriers()
    shared = s.flag("shared::cluster")
    name, kind = _take_operation(s, _TO_SHARED if shared else _TO_GLOBAL)
    s.choice("shared::cta")
    hinted = not shared and s.flag("L2::cache_hint")
    if not shared:
        s.choice("global")
    s.choice(COMPLETES if shared else "bulk_group")
    halves = kind in ("f16", "bf16")
    if name == "add" and halves and not s.flag("noftz"):
        raise OperandError(f"`{s.instruction.name}` needs .noftz")
    to = abi.Space.CLUSTER if shared else abi.Space.GLOBAL
    target, source, size = s.address(to), s.address(abi.Space.SHARED), s.source("b32")
    barrier = s.address(to) if shared else None
    take_policy(s, hinted)
    operation = _reduction(name, kind)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(target.read(b))
        values = [b.alu.trunc(wide(b, source), "i32"), defined(b, size, "operand")]
        if barrier is not None:
            values.append(wide(b, barrier))
        b.rows.store(0, values)
        b.runtime.call(
            "lm_bulk_reduce", b.index, mask64(b), 0, int(shared), operation, BITS[kind] // 8
        )

    return emit


@instruction(
    "clusterlaunchcontrol.try_cancel",
    "clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes"
    "{.multicast::cluster::all}.b128 [addr], [mbar]",
    cite=_SYNC.format("clusterlaunchcontrol.try_cancel"),
    needs="clusterlaunchcontrol",
)
def try_cancel(s: Statement) -> Emit:
    """Take over a cluster of the grid that has not begun: the response says which, or none."""
    s.names.use_mbarriers()
    s.choice("async")
    s.type("b128")
    space = SPACES[s.choice("shared::cta", "")]
    s.choice(COMPLETES)
    multicast = int(s.flag("multicast::cluster::all"))
    address, barrier = s.address(space), s.address(space)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [wide(b, barrier)])
        b.runtime.call("lm_try_cancel", b.index, mask64(b), space, multicast)

    return emit


_QUERY = "clusterlaunchcontrol.query_cancel"
Write = Callable[[Builder, Value], None]


@instruction(
    _QUERY,
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; "
    "..get_first_ctaid.v4.b32.b128 {x, y, z, _}, r; ..get_first_ctaid::x|y|z.b32.b128 d, r",
    cite=_SYNC.format("clusterlaunchcontrol.query_cancel"),
    needs="clusterlaunchcontrol",
)
def query_cancel(s: Statement) -> Emit:
    """Read a response; the CTA is undefined if no cluster was taken over."""
    s.type("b128")
    s.undefines = True
    if s.flag("is_canceled"):
        s.choice("pred")
        p = s.destination("pred")
        return _query(s, {0: lambda b, value: p.write(b, b.alu.trunc(value, "i1"))}, 1)
    s.choice("b32")
    if s.flag("get_first_ctaid"):
        s.choice("v4")
        parts = s.destinations("b32", 4)
        return _query(s, {row: part.write for row, part in enumerate(parts[:3])}, 0)
    axis = s.choice("get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z")[-1]
    return _query(s, {"xyz".index(axis): s.destination("b32").write}, 0)


def _query(s: Statement, writes: Mapping[int, Write], canceled: int) -> Emit:
    """Ask the runtime about the response in a register of 128 bits."""
    low, high = s.wide_sources(1)

    def emit(b: Builder) -> None:
        b.rows.store(0, [low.read(b), high.read(b)])
        b.runtime.call("lm_query_cancel", b.index, mask64(b), canceled)
        for row, write in writes.items():
            write(b, b.rows.load(row, not b.plan.precise))

    return emit

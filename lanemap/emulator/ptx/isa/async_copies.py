"""Asynchronous copies of single threads (NVIDIA PTX ISA, Data Movement: cp.async, cp.async.bulk).

ptx/c/async_copy.c moves the data; memory_model/completion.c keeps what completes the operations.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.memory_model.abi import MOST_GROUPS
from lanemap.emulator.ptx.isa.memory import SPACES, take_policy
from lanemap.emulator.ptx.lower.access import Source, constant_source
from lanemap.emulator.ptx.lower.runtime import mask64
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Immediate, Register
from lanemap.emulator.runtime import abi

_CITE = "PTX ISA, Data Movement and Conversion Instructions: {}"
_COPY, _BULK = abi.Agent.COPY, abi.Agent.BULK


#: The modifier of operations that complete bytes at an mbarrier.
COMPLETES = "mbarrier::complete_tx::bytes"


def defined(b: Builder, source: Source, decides: str = "address") -> Value:
    """Read an operand whose undefined bits are a hazard."""
    return b.checks.require_defined(source.read(b), decides)


def wide(b: Builder, source: Source) -> Value:
    """Read an address as 64 bits, so that it fills two rows."""
    return b.alu.zext(defined(b, source), "i64")


@instruction(
    "cp.async",
    "cp.async.ca|cg.shared{::cta}.global{.hint} [dst], [src], 4|8|16{, src-size|ignore-src}"
    "{, policy}",
    cite=_CITE.format("cp.async"),
    needs="cp.async",
)
def copy(s: Statement) -> Emit:
    """Copy 4, 8 or 16 bytes a lane; bytes beyond src-size are zeros."""
    s.names.use_mbarriers()
    cache = s.choice("ca cg")
    hinted = s.flag("L2::cache_hint")
    s.choice("L2::64B L2::128B L2::256B", "")
    s.choice("shared shared::cta")
    s.choice("global")
    target, source = s.address(abi.Space.SHARED), s.address(abi.Space.GLOBAL)
    size = s.immediate()
    if size not in ((16,) if cache == "cg" else (4, 8, 16)):
        raise OperandError(f"cp.async.{cache} does not copy {size} bytes")
    ignored, count = _take_source_size(s, size, hinted)
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(target.read(b))
        bytes_read = defined(b, count, "operand")
        if ignored is not None:
            none = b.ir.constant("i32", 0)
            bytes_read = b.alu.select(defined(b, ignored, "operand"), none, bytes_read)
        b.rows.store(0, [wide(b, source), bytes_read])
        b.runtime.call("lm_async_copy", b.index, mask64(b), size, 0)

    return emit


def _take_source_size(s: Statement, size: int, hinted: bool) -> tuple[Source | None, Source]:
    """Take ignore-src or src-size, if there is one besides the policy."""
    whole = constant_source("b32", size)
    if s.left <= hinted:
        return None, whole
    operand = s.next_operand()
    if isinstance(operand, Register) and operand.type == "pred":
        return s.source("pred"), whole
    if isinstance(operand, Immediate) and not 0 <= operand.value <= size:
        raise OperandError(f"src-size {operand.value} is more than the {size} bytes of the copy")
    return None, s.source("b32")


def _take_number(s: Statement) -> int:
    number = s.immediate()
    if not 0 <= number < MOST_GROUPS:
        raise OperandError(
            f"`{s.instruction.text}`: a thread can leave at most "
            f"{MOST_GROUPS - 1} groups outstanding here"
        )
    return number


@instruction(
    "cp.async.commit_group cp.async.bulk.commit_group",
    "cp.async{.bulk}.commit_group",
    cite=_CITE.format("cp.async.commit_group, cp.async.bulk.commit_group"),
    needs="cp.async",
)
def commit_group(s: Statement) -> Emit:
    """The copies of the thread since its last group become one more group."""
    s.names.use_mbarriers()
    agent = _BULK if "bulk" in s.instruction.modifiers else _COPY

    def emit(b: Builder) -> None:
        b.runtime.call("lm_async_commit", mask64(b), agent)

    return emit


@instruction(
    "cp.async.wait_group cp.async.bulk.wait_group",
    "cp.async.wait_group N; cp.async.bulk.wait_group{.read} N",
    cite=_CITE.format("cp.async.wait_group, cp.async.bulk.wait_group"),
    needs="cp.async",
)
def wait_group(s: Statement) -> Emit:
    """Wait until at most the last N groups of the thread are outstanding."""
    s.names.use_mbarriers()
    bulk = "bulk" in s.instruction.modifiers
    reads = int(bulk and s.flag("read"))
    number = _take_number(s)

    def emit(b: Builder) -> None:
        if bulk:
            b.runtime.call("lm_bulks_wait", mask64(b), number, reads)
        else:
            b.runtime.call("lm_copies_wait", mask64(b), number)

    return emit


@instruction(
    "cp.async.wait_all",
    "cp.async.wait_all",
    cite=_CITE.format("cp.async.wait_all"),
    needs="cp.async",
)
def wait_all(s: Statement) -> Emit:
    """Wait for all cp.async of the thread."""
    s.names.use_mbarriers()

    def emit(b: Builder) -> None:
        b.runtime.call("lm_async_wait_all", mask64(b))

    return emit


@instruction(
    "cp.async.mbarrier.arrive",
    "cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64 [addr]",
    cite="PTX ISA, Parallel Synchronization and Communication: cp.async.mbarrier.arrive",
    needs="cp.async",
)
def arrive(s: Statement) -> Emit:
    """Arrive at an mbarrier when the thread's cp.async so far are complete."""
    s.names.use_mbarriers()
    counted = int(s.flag("noinc"))
    s.type("b64")
    space = SPACES[s.choice("shared shared::cta", "")]
    address = s.address(space)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.runtime.call("lm_async_arrive", b.index, space, mask64(b), counted)

    return emit


@instruction(
    "cp.async.bulk",
    "cp.async.bulk.shared::cluster|shared::cta.global|shared::cta.mbarrier::complete_tx::bytes"
    "{.multicast::cluster}{.hint} [dst], [src], size, [mbar]{, ctaMask}{, policy}; "
    "cp.async.bulk.global.shared::cta.bulk_group{.hint}{.cp_mask} [dst], [src], size{, policy}",
    cite=_CITE.format("cp.async.bulk"),
    needs="bulk copies",
)
def bulk(s: Statement) -> Emit:
    """Copy `size` bytes; each thread that executes it copies its own."""
    s.names.use_mbarriers()
    hinted = s.flag("L2::cache_hint")
    return _store(s, hinted) if s.flag("bulk_group") else _load(s, hinted)


def _load(s: Statement, hinted: bool) -> Emit:
    s.choice(COMPLETES)
    multicast = int(s.flag("multicast::cluster"))
    cluster = s.flag("shared::cluster")
    near = s.flag("shared::cta")
    from_global = s.flag("global")
    if not (cluster or near) or from_global == (cluster and near) or (multicast and not cluster):
        raise OperandError(f"`{s.instruction.name}` is not a form of cp.async.bulk")
    space = abi.Space.GLOBAL if from_global else abi.Space.SHARED
    target, source = s.address(abi.Space.CLUSTER), s.address(space)
    size, barrier = s.source("b32"), s.address(abi.Space.CLUSTER)
    ctas = s.source("b16") if multicast else None
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(target.read(b))
        values = [wide(b, source), defined(b, size, "operand"), wide(b, barrier)]
        if ctas is not None:
            values.append(b.alu.zext(defined(b, ctas, "operand"), "i32"))
        b.rows.store(0, values)
        b.runtime.call("lm_bulk_load", b.index, mask64(b), 0, space, multicast)

    return emit


def _store(s: Statement, hinted: bool) -> Emit:
    s.choice("global")
    s.choice("shared::cta")
    masked = s.flag("cp_mask")
    if masked:
        s.names.require("cp_mask")
    target, source = s.address(abi.Space.GLOBAL), s.address(abi.Space.SHARED)
    size = s.source("b32")
    take_policy(s, hinted)
    mask = s.source("b16") if masked else None

    def emit(b: Builder) -> None:
        b.memory.set_addresses(target.read(b))
        values = [b.alu.trunc(wide(b, source), "i32"), defined(b, size, "operand")]
        if mask is not None:
            values.append(b.alu.zext(defined(b, mask, "operand"), "i32"))
        b.rows.store(0, values)
        b.runtime.call("lm_bulk_store", b.index, mask64(b), 0, int(masked))

    return emit


@instruction(
    "cp.async.bulk.prefetch",
    "cp.async.bulk.prefetch.L2.global{.hint} [src], size{, policy}",
    cite=_CITE.format("cp.async.bulk.prefetch"),
    needs="bulk copies",
)
def prefetch(s: Statement) -> Emit:
    """Fetch `size` bytes to a cache: a hint, of which only the size is checked."""
    hinted = s.flag("L2::cache_hint")
    s.choice("L2")
    s.choice("global")
    source, size = s.address(abi.Space.GLOBAL), s.source("b32")
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(source.read(b))
        b.rows.store(0, [defined(b, size, "operand")])
        b.runtime.call("lm_bulk_prefetch", b.index, mask64(b), 0)

    return emit

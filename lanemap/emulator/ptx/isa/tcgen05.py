"""tcgen05: tensor memory, its allocation and its registers (NVIDIA PTX ISA, TensorCore 5th Gen.).

The data movement of ld and st is the model's layout map of the variant (lanemap/model/
tcgen05_ldst.py), applied by ptx/c/tensor_memory.c.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.isa.common import same_in_warp
from lanemap.emulator.ptx.isa.memory import SPACES
from lanemap.emulator.ptx.lower.abi import Tensor
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import LOADS, gate, mask64, unless_waiting
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.lower.tables import tensor_load_table, tensor_store_table
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import Space
from lanemap.errors import UserError
from lanemap.model.tcgen05_ldst import SHAPES, legal_shape

_CITE = "PTX ISA, TensorCore 5th Generation Family Instructions: {}"


def begin(s: Statement, *words: str) -> None:
    """Take mandatory modifiers.

    Raises:
        OperandError: one lacks, or the target has no tcgen05.
    """
    s.names.use_tensor_memory()
    for word in words:
        s.choice(word)


def take_group(s: Statement) -> int:
    """Take .cta_group; it must be the same all over a kernel (PTX ISA, tcgen05.alloc)."""
    group = int(s.choice("cta_group::1 cta_group::2")[-1])
    s.names.use_cta_group(group)
    return group


def tensor_address(b: Builder, address: Source) -> Value:
    """Return taddr: lane in bits 31 to 16, column in bits 15 to 0."""
    return same_in_warp(b, b.alu.trunc(address.read(b), "i32"), "address", Rule.TADDR_DIFFERS)


# -- allocation ----------------------------------------------------------------------------------
@instruction(
    "tcgen05.alloc",
    "tcgen05.alloc.cta_group.sync.aligned{.shared::cta}.b32 [dst], nCols",
    cite=_CITE.format("tcgen05.alloc"),
    gate=True,
    needs="tcgen05",
)
def alloc(s: Statement) -> Emit:
    """Allocate columns; their address goes to shared memory. Waits while there is no room."""
    begin(s, "sync", "aligned")
    pair = take_group(s) - 1
    s.type("b32")
    space = SPACES[s.choice("shared::cta", "")]
    destination = s.address(space)
    columns = s.source("b32")
    strict = int(s.names.settings.strict)

    def emit(b: Builder) -> None:
        gate(b, None, last=False)
        count = same_in_warp(b, columns.read(b), "operand", Rule.TADDR_DIFFERS)
        status = b.runtime.call("lm_tensor_alloc", b.index, b.plan.block, count, pair, strict)
        unless_waiting(b, status, "given")
        lane = b.alu.intrinsic("cttz", b.masks.active_or_all())
        with b.guarded(b.alu.compare("eq", b.lanes.numbers(), lane)):
            b.memory.store(space, destination.read(b), [b.rows.load(0, True)], 4, align=4)
        # the ISA's examples read it without a barrier of the warp
        b.runtime.call("lm_ptx_met_alike", b.ir.constant("i32", 0xFFFFFFFF))
        if not strict:
            b.runtime.call("lm_tensor_stored")

    return emit


@instruction(
    "tcgen05.dealloc",
    "tcgen05.dealloc.cta_group.sync.aligned.b32 taddr, nCols",
    cite=_CITE.format("tcgen05.dealloc"),
    gate=True,
    needs="tcgen05",
)
def dealloc(s: Statement) -> Emit:
    """Give columns back, all of an allocation at once."""
    begin(s, "sync", "aligned")
    pair = take_group(s) - 1
    s.type("b32")
    address, columns = s.source("b32"), s.source("b32")

    def emit(b: Builder) -> None:
        gate(b, None, last=False)
        where = same_in_warp(b, address.read(b), "address", Rule.TADDR_DIFFERS)
        count = same_in_warp(b, columns.read(b), "operand", Rule.TADDR_DIFFERS)
        status = b.runtime.call("lm_tensor_dealloc", b.index, b.plan.block, where, count, pair)
        unless_waiting(b, status, "given_back")

    return emit


@instruction(
    "tcgen05.relinquish_alloc_permit",
    "tcgen05.relinquish_alloc_permit.cta_group.sync.aligned",
    cite=_CITE.format("tcgen05.relinquish_alloc_permit"),
    gate=True,
    needs="tcgen05",
)
def relinquish(s: Statement) -> Emit:
    """The CTA allocates no more."""
    begin(s, "sync", "aligned")
    take_group(s)

    def emit(b: Builder) -> None:
        gate(b, None)
        b.runtime.call("lm_tensor_relinquish")

    return emit


# -- registers -----------------------------------------------------------------------------------
def _form(s: Statement, verb: str, halves: str) -> tuple[str, int]:
    """Take shape, repetition and `halves`; return the variant without imm, and its registers.

    Raises:
        OperandError: the shape has no such repetition.
    """
    begin(s, "sync", "aligned")
    s.type("b32")
    shape = s.choice(" ".join(SHAPES))
    repeat = s.choice(" ".join(f"x{1 << power}" for power in range(8)))
    try:
        chosen = legal_shape(shape, int(repeat[1:]))
    except UserError as error:
        raise OperandError(f"`{s.instruction.name}`: {error}") from error
    halved = f".{halves}" if s.flag(halves) else ""
    return f"tcgen05.{verb}.{shape}.{repeat}{halved}", chosen.registers * int(repeat[1:])


def _split(s: Statement, name: str) -> str:
    """Take the offset of 16x32bx2's second half; return the variant's name with it."""
    if "16x32bx2" not in name:
        return name
    offset = s.immediate()
    default = int(name.split(".x")[1].split(".")[0]) * (2 if name.endswith("16b") else 1)
    if not 0 <= offset < 512:
        raise OperandError(f"the offset {offset} of `{s.instruction.name}` is not from 0 to 511")
    return name if offset == default else f"{name}+{offset}"


@instruction(
    "tcgen05.ld",
    "tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 r, [taddr]{, imm}",
    cite=_CITE.format("tcgen05.ld"),
    gate=True,
    needs="tcgen05",
)
def load(s: Statement) -> Emit:
    """Tensor memory to registers, asynchronously.

    The ISA respects the true dependency on the registers (9.7.16.6.4.5; NVIDIA/cutlass, issue
    2525), so they are pending until wait::ld in strict mode only; the cells read stay in use.
    """
    if s.peek("red"):
        raise OperandError(
            "tcgen05.ld.red (sm_103a) is not supported: the ISA says neither what .abs and .NaN do "
            "nor whether the halves of 16x32bx2 are reduced together"
        )
    name, count = _form(s, "ld", "pack::16b")
    written = len(s.writes)
    destinations = s.destinations("b32", count)
    runs = consecutive(s.writes[written:]) if s.names.settings.strict else []
    address = s.address(Space.ENGINE)
    name = _split(s, name)
    table = s.names.table(name, tensor_load_table)
    strict = int(s.names.settings.strict)
    s.undefines = s.defines = True

    def emit(b: Builder) -> None:
        gate(b, None)
        where = tensor_address(b, address)
        b.runtime.call("lm_tensor_load", b.index, where, table, count, strict)
        with b.pending.untouched():
            for row, destination in enumerate(destinations):
                destination.write(b, b.rows.load(row, not b.plan.precise))
        for run in runs:
            b.pending.issue(LOADS, run)

    return emit


def consecutive(registers: list[Register]) -> list[list[Register]]:
    """Return the tracked registers in runs of consecutive numbers."""
    runs: list[list[Register]] = []
    for register in dict.fromkeys(r for r in registers if r.tracked >= 0):
        if runs and register.tracked == runs[-1][-1].tracked + 1:
            runs[-1].append(register)
        else:
            runs.append([register])
    return runs


@instruction(
    "tcgen05.st",
    "tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr]{, imm}, r",
    cite=_CITE.format("tcgen05.st"),
    gate=True,
    needs="tcgen05",
)
def store(s: Statement) -> Emit:
    """Registers to tensor memory, asynchronously; the registers may be written again at once."""
    name, count = _form(s, "st", "unpack::16b")
    address = s.address(Space.ENGINE)
    name = _split(s, name)
    sources = s.sources("b32", count)
    table = s.names.table(name, tensor_store_table)
    strict = int(s.names.settings.strict)

    def emit(b: Builder) -> None:
        gate(b, None)
        where = tensor_address(b, address)
        b.rows.store(0, [source.read(b) for source in sources])
        b.runtime.call("lm_tensor_store", b.index, where, table, count, strict)

    return emit


# -- order ---------------------------------------------------------------------------------------
def _wait(s: Statement, kind: int) -> Emit:
    begin(s, "sync", "aligned")
    tracking = s.names.settings.strict and kind == Tensor.LOAD

    def emit(b: Builder) -> None:
        gate(b, None)
        b.runtime.call("lm_tensor_wait", kind)
        if tracking:
            b.pending.wait(LOADS, 0)
            b.pending.begin_segment()

    return emit


@instruction(
    "tcgen05.wait::ld",
    "tcgen05.wait::ld.sync.aligned",
    cite=_CITE.format("tcgen05.wait"),
    gate=True,
    needs="tcgen05",
)
def wait_load(s: Statement) -> Emit:
    """The warp's loads are complete."""
    return _wait(s, Tensor.LOAD)


@instruction(
    "tcgen05.wait::st",
    "tcgen05.wait::st.sync.aligned",
    cite=_CITE.format("tcgen05.wait"),
    gate=True,
    needs="tcgen05",
)
def wait_store(s: Statement) -> Emit:
    """The warp's stores are complete."""
    return _wait(s, Tensor.STORE)


@instruction(
    "tcgen05.fence::before_thread_sync",
    "tcgen05.fence::before_thread_sync",
    cite=_CITE.format("tcgen05.fence"),
    needs="tcgen05",
)
def fence_before(s: Statement) -> Emit:
    """Attach the tcgen05 operations known to be complete to the next arrival of the warp."""
    begin(s)
    return lambda b: _fence(b, 0)


@instruction(
    "tcgen05.fence::after_thread_sync",
    "tcgen05.fence::after_thread_sync",
    cite=_CITE.format("tcgen05.fence"),
    needs="tcgen05",
)
def fence_after(s: Statement) -> Emit:
    """Order the next tcgen05 operations after what the warp's barriers passed on."""
    begin(s)
    return lambda b: _fence(b, 1)


def _fence(b: Builder, after: int) -> None:
    b.runtime.call("lm_tensor_fence", mask64(b), after)

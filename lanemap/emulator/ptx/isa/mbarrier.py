"""mbarrier objects (NVIDIA PTX ISA, Parallel Synchronization and Communication: mbarrier).

memory_model/mbarrier.c keeps their counts, beside the bytes of shared memory that hold them.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.memory import SPACES
from lanemap.emulator.ptx.lower.abi import Arrive, Wait
from lanemap.emulator.ptx.lower.access import Source, constant_source
from lanemap.emulator.ptx.lower.runtime import mask64, note_polling, unless_waiting
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Sink

_CITE = "PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier.{}"


def _begin(s: Statement, spaces: str = "shared shared::cta") -> int:
    """Take the type and the space, which is the generic one where none is named."""
    s.names.use_mbarriers()
    s.type("b64")
    return SPACES[s.choice(spaces, "")]


def _take_order(s: Statement, words: str) -> tuple[str, str]:
    """Take .sem and .scope, which come together; both scopes make the same known here."""
    sem = s.choice(words, "")
    scope = s.choice("cta cluster", "")
    if bool(sem) != bool(scope):
        raise OperandError(f"`{s.instruction.name}` needs both or neither of .sem and .scope")
    return sem, scope


def _operand(b: Builder, source: Source) -> Value:
    return b.checks.require_defined(source.read(b), "barrier operand")


@instruction(
    "mbarrier.init",
    "mbarrier.init{.shared{::cta}}.b64 [addr], count",
    cite=_CITE.format("init"),
    needs="mbarrier",
)
def init(s: Statement) -> Emit:
    """Make an object whose phases have `count` arrivals each."""
    space = _begin(s)
    address, count = s.address(space), s.source("b32")

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [_operand(b, count)])
        b.runtime.call("lm_mbarrier_init", b.index, space, mask64(b), 0)

    return emit


@instruction(
    "mbarrier.inval",
    "mbarrier.inval{.shared{::cta}}.b64 [addr]",
    cite=_CITE.format("inval"),
    needs="mbarrier",
)
def inval(s: Statement) -> Emit:
    """The object ends; its bytes are ordinary memory again, and undefined."""
    space = _begin(s)
    address = s.address(space)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.runtime.call("lm_mbarrier_inval", b.index, space, mask64(b))

    return emit


@instruction(
    "mbarrier.expect_tx mbarrier.complete_tx",
    "mbarrier.expect_tx{.relaxed.scope}{.space}.b64 [addr], txCount; mbarrier.complete_tx ..",
    cite=_CITE.format("expect_tx, mbarrier.complete_tx"),
    needs="mbarrier.try_wait",
)
def transact(s: Statement) -> Emit:
    """More bytes are expected in this phase, or some have come."""
    completes = int(s.instruction.modifiers[0] == "complete_tx")
    space = _begin(s, "shared shared::cta shared::cluster")
    _take_order(s, "relaxed")
    address, count = s.address(space), s.source("b32")

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [_operand(b, count)])
        b.runtime.call("lm_mbarrier_transact", b.index, space, mask64(b), 0, completes)

    return emit


@instruction(
    "mbarrier.arrive mbarrier.arrive_drop",
    "mbarrier.arrive{_drop}{.expect_tx}{.noComplete}{.sem.scope}{.space}.b64 state|_, [addr]"
    "{, count}",
    cite=_CITE.format("arrive, mbarrier.arrive_drop"),
    needs="mbarrier",
)
def arrive(s: Statement) -> Emit:
    """Arrive once, or `count` times; the state names the phase that was current before."""
    how = Arrive.DROP if s.instruction.modifiers[0] == "arrive_drop" else 0
    expects = s.flag("expect_tx")
    no_complete = s.flag("noComplete")
    space = _begin(s, "shared shared::cta" + ("" if no_complete else " shared::cluster"))
    sem, scope = _take_order(s, "release" if no_complete else "release relaxed")
    how |= Arrive.NO_COMPLETE * no_complete | Arrive.EXPECT * expects
    how |= Arrive.RELAXED * (sem == "relaxed") | Arrive.CTA * (scope == "cta")
    if SPACES["shared::cluster"] == space and not isinstance(s.next_operand(), Sink):
        raise OperandError(
            f"`{s.instruction.name}` returns no state for shared::cluster; write `_` in its place"
        )
    state, address = s.destination("b64"), s.address(space)
    if (expects or no_complete) and not s.left:
        raise OperandError(f"`{s.instruction.text}` needs a count")
    count = s.source("b32") if s.left else constant_source("b32", 1)

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [_operand(b, count)])
        b.runtime.call("lm_mbarrier_arrive", b.index, space, mask64(b), 0, how)
        state.write(b, b.alu.join(b.rows.load(1, True), b.rows.load(2, True)))

    return emit


def _wait(s: Statement, tries: bool) -> Emit:
    how = Wait.TRY if tries else 0
    if s.flag("parity"):
        how |= Wait.PARITY
    space = _begin(s)
    if _take_order(s, "acquire relaxed")[0] == "relaxed":
        how |= Wait.RELAXED
    complete, address = s.destination("pred"), s.address(space)
    phase = s.source("b32" if how & Wait.PARITY else "b64")
    if tries and s.left:
        s.source("b32")  # how long to wait: until nothing else can go on

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        b.rows.store(0, [_operand(b, phase)])
        if not tries:
            note_polling(b)
        status = b.runtime.call("lm_mbarrier_wait", b.index, b.plan.block, space, mask64(b), 0, how)
        if tries:
            unless_waiting(b, status, "waited")
        complete.write(b, b.alu.trunc(b.rows.load(2, True), "i1"))

    return emit


_WAIT_SYNTAX = (
    "mbarrier.{}{{.parity}}{{.sem.scope}}{{.shared{{::cta}}}}.b64 p, [addr], state|phaseParity{}"
)


@instruction(
    "mbarrier.test_wait",
    _WAIT_SYNTAX.format("test_wait", ""),
    cite=_CITE.format("test_wait"),
    needs="mbarrier",
)
def test_wait(s: Statement) -> Emit:
    """Whether a phase is complete."""
    return _wait(s, tries=False)


@instruction(
    "mbarrier.try_wait",
    _WAIT_SYNTAX.format("try_wait", "{, suspendTimeHint}"),
    cite=_CITE.format("try_wait"),
    gate=True,
    needs="mbarrier.try_wait",
)
def try_wait(s: Statement) -> Emit:
    """Wait for a phase; time out only if nothing else can make progress."""
    return _wait(s, tries=True)


@instruction(
    "mbarrier.pending_count",
    "mbarrier.pending_count.b64 count, state",
    cite=_CITE.format("pending_count"),
    needs="mbarrier",
)
def pending_count(s: Statement) -> Emit:
    """How many arrivals were pending in the state that mbarrier.arrive gave."""
    s.type("b64")
    count, state = s.destination("b32"), s.source("b64")
    mask = (1 << 20) - 1
    return lambda b: count.write(
        b, b.alu.trunc(b.alu.and_(state.read(b), b.ir.constant("i64", mask)), "i32")
    )

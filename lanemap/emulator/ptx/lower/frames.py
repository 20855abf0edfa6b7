"""Stack frames of recursive functions: registers and .local variables of each activation.

The program has one set of registers per function. Before a call that may recurse, the registers
live after it, with the return index among them, are pushed to a per-lane stack that has no address
(ptx_calls.c). They are popped after the call. The contents of a frame are specific to the
emulator, since ptxas decides what a GPU's stack (cudaLimitStackSize) holds. So the only fault is to
exceed RECURSION_BYTES for registers, or as many for .local variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import BITS
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.drafts import Draft
from lanemap.emulator.ptx.lower.names import Frame
from lanemap.emulator.ptx.lower.reserved import RECURSION_BYTES, STACK
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import ROW

#: What each lane's stack of registers holds, in words of 32 bits; with their undefined bits and
#: origins that many bytes of a warp.
KEPT_WORDS = RECURSION_BYTES // 4
KEPT_BYTES = KEPT_WORDS * 3 * 4 * 32


@dataclass(frozen=True)
class Site:
    """A call that may recurse: the block that it ends, and the block after it.

    `results` are the callees' registers that the block behind fetches.
    """

    before: Draft
    behind: Draft
    results: frozenset[Register]
    text: str
    line: int


@dataclass
class Frames:
    """The frames of the functions that a kernel reaches."""

    _sites: dict[int, Site] = field(default_factory=dict)

    def note(self, site: Site) -> None:
        """Remember a call for `save_registers`."""
        self._sites[id(site.before)] = site

    def save_registers(self, drafts: Sequence[Draft], results: Sequence[Register]) -> None:
        """Save live registers around the recursive calls of a function; all blocks are complete.

        `results` are the registers that the function leaves to its callers.
        """
        sites = [self._sites[id(draft)] for draft in drafts if id(draft) in self._sites]
        if not sites:
            return
        live = _live(drafts, {id(site.before) for site in sites}, results)
        for site in sites:
            self._keep(site, live[id(site.behind)])

    def _keep(self, site: Site, after: set[Register]) -> None:
        """Save the registers live `after` the call, and restore them after it."""
        receive = site.behind.operations[0]
        after = after - set(receive.writes)
        first = _in_order({*after, *receive.reads} - site.results)
        last = _in_order(after & site.results)
        size = _words([*first, *last])
        save = _operation(site, lambda b: _save(b, [*first, *last]), [*first, *last], [])
        again = _operation(site, lambda b: _take_back(b, first, size, 0), [], first)
        site.before.operations.insert(-1, save)
        site.behind.operations.insert(0, again)
        if last:
            at = _words(first)
            again = _operation(site, lambda b: _take_back(b, last, 0, at), [], last)
            site.behind.operations.insert(2, again)


def check_stack(b: Builder, end: Value, limit: int) -> None:
    """Report a hazard if the stack would exceed the memory of the lane."""
    over = b.lanes.ballot(b.alu.compare("ugt", b.ir.spread(end), b.ir.constant("i32", limit)))
    over = b.alu.and_(over, b.masks.active_or_all())
    bad = b.alu.compare("ne", over, b.ir.constant("i32", 0))
    b.checks.rule(bad, Rule.STACK, limit, lanes=b.alu.zext(over, "i64"))


def enter(frame: Frame, function: str, line: int, limit: int) -> Operation:
    """Begin a function: its .local variables lie at the end of the stack."""

    def emit(b: Builder) -> None:
        b.registers.write(frame.register, b.registers.read(STACK))
        end = b.alu.add(frame.start(b), b.ir.constant("i32", frame.size))
        check_stack(b, end, limit)
        b.registers.write(STACK, end)

    return Operation(function, line, emit, (STACK,), (frame.register, STACK))


def leave(frame: Frame, line: int) -> Operation:
    """End a function: what it took of the stack is free again (PTX ISA, alloca)."""

    def emit(b: Builder) -> None:
        b.registers.write(STACK, b.registers.read(frame.register))

    return Operation("}", line, emit, (frame.register,), (STACK,))


def _operation(
    site: Site,
    emit: Callable[[Builder], None],
    reads: Sequence[Register],
    writes: Sequence[Register],
) -> Operation:
    return Operation(site.text, site.line, emit, tuple(reads), tuple(writes), undefines=True)


def _in_order(registers: set[Register]) -> list[Register]:
    """Those of every lane, apart from the stack's own."""
    return sorted((r for r in registers if r.lanes and r != STACK), key=lambda r: r.name)


def _words(registers: Sequence[Register]) -> int:
    return sum(2 if BITS[register.type] == 64 else 1 for register in registers)


def _portions(registers: Sequence[Register]) -> Iterator[list[Register]]:
    """Yield the registers by as many as fit the scratch rows."""
    portion: list[Register] = []
    for register in registers:
        if _words([*portion, register]) > ROW:
            yield portion
            portion = []
        portion.append(register)
    if portion:
        yield portion


def _save(b: Builder, registers: Sequence[Register]) -> None:
    for portion in _portions(registers):
        b.rows.store(0, [b.registers.read(register) for register in portion])
        b.runtime.call("lm_ptx_keep", b.index, _words(portion), KEPT_WORDS)


def _take_back(b: Builder, registers: Sequence[Register], drop: int, at: int) -> None:
    """Drop words from the end of what is kept, and read registers back from word `at` of them."""
    for portion in _portions(registers) if registers else [[]]:
        b.runtime.call("lm_ptx_take_back", drop, at, _words(portion))
        row, known = 0, not b.plan.precise
        for register in portion:
            value = b.rows.load(row, known)
            if BITS[register.type] == 64:
                value = b.alu.join(value, b.rows.load(row + 1, known))
            row += _words([register])
            b.registers.write(register, b.alu.resize(value, register.type))
        drop, at = 0, at + row


def _live(
    drafts: Sequence[Draft], calls: set[int], results: Sequence[Register]
) -> dict[int, set[Register]]:
    """Registers that may be read before they are written, after each block's first operation.

    Calls go on behind themselves, and those that are kept over (`calls`) overwrite nothing. What
    the function leaves to its callers is live where it ends, in the last block.
    """
    uses: dict[int, tuple[set[Register], set[Register]]] = {}
    kills: dict[int, tuple[set[Register], set[Register]]] = {}
    for draft in drafts:
        whole = _touched(draft.operations, id(draft) in calls)
        rest = _touched(draft.operations[1:], id(draft) in calls)
        uses[id(draft)], kills[id(draft)] = (whole[0], rest[0]), (whole[1], rest[1])
    live_in = {id(draft): set(uses[id(draft)][0]) for draft in drafts}
    live_out: dict[int, set[Register]] = {id(draft): set() for draft in drafts}
    changed = True
    while changed:
        changed = False
        for draft in reversed(drafts):
            key = id(draft)
            after = set(results)
            if draft is not drafts[-1]:
                after = set().union(*(live_in.get(id(t), ()) for t in draft.order_targets))
            new = uses[key][0] | (after - kills[key][0])
            changed |= len(new) != len(live_in[key]) or len(after) != len(live_out[key])
            live_in[key], live_out[key] = new, after
    return {key: uses[key][1] | (live_out[key] - kills[key][1]) for key in live_out}


def _touched(operations: Sequence[Operation], call: bool) -> tuple[set[Register], set[Register]]:
    """Registers read before they are written, and those written (not by a call that ends them)."""
    use: set[Register] = set()
    kill: set[Register] = set()
    for operation in operations:
        use.update(r for r in operation.reads if r not in kill)
        if operation.partial:
            use.update(r for r in operation.writes if r not in kill)
        if not call or operation is not operations[-1]:
            kill.update(operation.writes)
    return use, kill

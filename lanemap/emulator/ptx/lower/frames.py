"""Functions that can call themselves: their registers and .local variables, once an activation.

Registers are the program's, one set for each function. Before a call that may come back to its own
function, the registers that are live behind it go to the lane's stack, and they come back after
it. What a frame holds is the emulator's affair: a GPU's own stack (cudaLimitStackSize) holds what
ptxas decides, so that only running out of RECURSION_BYTES is a fault here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import BITS, Register, Value
from lanemap.emulator.ptx.lower.abi import Rule
from lanemap.emulator.ptx.lower.drafts import Draft
from lanemap.emulator.ptx.lower.names import STACK, Frame
from lanemap.emulator.runtime import abi


@dataclass(frozen=True)
class Site:
    """A call that may come back to its own function: the block it ends, and the one behind it.

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

    limit: int = 0
    _sites: list[Site] = field(default_factory=list)

    def note(self, site: Site) -> None:
        """Remember a call for `save_registers`."""
        self._sites.append(site)

    def save_registers(self, drafts: Sequence[Draft], results: Sequence[Register]) -> None:
        """Let the calls of one function keep what is live behind them; all blocks are complete.

        `results` are the registers that the function leaves to its callers.
        """
        mine = {id(draft) for draft in drafts}
        sites = [site for site in self._sites if id(site.before) in mine]
        if not sites:
            return
        live = _live(drafts, {id(site.before) for site in sites}, results)
        for site in sites:
            self._keep(site, live[id(site.behind)])

    def _keep(self, site: Site, after: set[Register]) -> None:
        """Save before the call, and bring back behind it, what is live `after` the results came."""
        receive = site.behind.operations[0]
        after = after - set(receive.writes)
        first = _in_order({*after, *receive.reads} - site.results)
        last = _in_order(after & site.results)
        places, size = _places([*first, *last])
        save = _operation(site, lambda b: self._save(b, places, size), [STACK, *places], [STACK])
        again = _operation(site, lambda b: _restore(b, places, first, size), [STACK],
                           [STACK, *first])  # fmt: skip
        site.before.operations.insert(-1, save)
        site.behind.operations.insert(0, again)
        if last:
            again = _operation(site, lambda b: _restore(b, places, last, 0), [STACK], last)
            site.behind.operations.insert(2, again)

    def _save(self, b: Builder, places: dict[Register, int], size: int) -> None:
        start = b.registers.read(STACK)
        end = b.alu.add(start, b.ir.constant("i32", size))
        check_stack(b, end, self.limit)
        for register, offset in places.items():
            value = b.registers.read(register)
            words = list(b.alu.split(value)) if value.bits == 64 else [b.alu.zext(value, "i32")]
            place = b.alu.zext(b.alu.add(start, b.ir.constant("i32", offset)), "i64")
            b.memory.store(abi.Space.PRIVATE, place, words, 4 * len(words), align=4)
        b.registers.write(STACK, end)


def check_stack(b: Builder, end: Value, limit: int) -> None:
    """A hazard where the stack would end behind the lane's memory."""
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
    site: Site, emit: Callable[[Builder], None], reads: Sequence[Register],
    writes: Sequence[Register],
) -> Operation:  # fmt: skip
    return Operation(site.text, site.line, emit, tuple(reads), tuple(writes), undefines=True)


def _in_order(registers: set[Register]) -> list[Register]:
    """Those of every lane, apart from the stack's own."""
    return sorted((r for r in registers if r.lanes and r != STACK), key=lambda r: r.name)


def _places(registers: Sequence[Register]) -> tuple[dict[Register, int], int]:
    places, end = {}, 0
    for register in registers:
        places[register] = end
        end += 8 if BITS[register.type] == 64 else 4
    return places, end


def _restore(
    b: Builder, places: dict[Register, int], registers: Sequence[Register], size: int
) -> None:
    """Read registers back from the stack's end, `size` bytes lower than it is."""
    start = b.alu.sub(b.registers.read(STACK), b.ir.constant("i32", size))
    b.registers.write(STACK, start)
    for register in registers:
        place = b.alu.zext(b.alu.add(start, b.ir.constant("i32", places[register])), "i64")
        wide = BITS[register.type] == 64
        words = b.memory.load(abi.Space.PRIVATE, place, 8 if wide else 4, align=4)
        value = b.alu.join(*words) if wide else b.alu.trunc(words[0], register.type)
        b.registers.write(register, value)


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

"""The window between two clock reads in the SASS, and which instruction reads which result."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lanemap.errors import UserError
from lanemap.toolchain.control import NO_BARRIER
from lanemap.toolchain.sass import SassInstruction

#: Opcodes of stores and reductions, which write memory and no register.
_NO_RESULT = re.compile(r"(ST|STS|STG|STL|RED|REDG|REDS)(\.|$)")
_REGISTER = re.compile(r"(?<![\w.])(U?[RP]\d+)")
_CLOCK = "CS2R"
#: Opcodes before and after the chain in the window, in order; see `text`.
PROLOGUE = ("LOP3.LUT",)
EPILOGUE = ("ISETP.NE.U32.AND", "EXIT")
#: What ptxas puts before the first `.sync` instruction of a block: a branch for divergent warps.
CONVERGENCE = ("UMOV", "BRA.DIV")


def operands(instruction: SassInstruction) -> tuple[list[str], list[str]]:
    """Return the operands that an instruction writes, and those that it reads, as text.

    It writes the first, and the second too if that is a predicate or if the first is one:
    `ISETP P0, PT, ..`, `SHFL PT, R5, ..`, `IADD3 R8, P0, ..`.
    """
    parts = [part.strip() for part in instruction.operands.split(",") if part.strip()]
    if _NO_RESULT.match(instruction.opcode):
        return [], parts
    written = 1
    if len(parts) > 1 and (_is_predicate(parts[0]) or _is_predicate(parts[1])):
        written = 2
    return parts[:written], parts[written:]


def _is_predicate(operand: str) -> bool:
    return re.fullmatch(r"U?P(T|\d)", operand) is not None


@functools.lru_cache(maxsize=4096)
def slot(producer: SassInstruction, consumer: SassInstruction) -> int | None:
    """Return which operand of the consumer (the first that it reads is 1) the producer wrote.

    0 is its guard; None if it reads nothing of the producer.
    """
    written = _written(producer)
    if written & set(_REGISTER.findall(consumer.guard)):
        return 0
    for number, part in enumerate(operands(consumer)[1], 1):
        if written & set(_REGISTER.findall(part)):
            return number
    return None


def _written(instruction: SassInstruction) -> set[str]:
    """The registers that it writes: of a pair, as IMAD.WIDE writes, both."""
    names = {name for part in operands(instruction)[0] for name in _REGISTER.findall(part)}
    if ".WIDE" in instruction.opcode:
        names |= {f"R{int(name[1:]) + 1}" for name in names if name.startswith("R")}
    return names


@dataclass(frozen=True)
class Edge:
    """Two adjacent instructions of which the second reads what the first wrote.

    Attributes:
        producer: Opcode with its modifiers.
        consumer: The instruction that reads it.
        operand: Which operand of the consumer; 0 is its guard.
        fixed: Whether only the stall count separates them: the producer releases no barrier.
    """

    producer: str
    consumer: str
    operand: int
    fixed: bool

    @property
    def events(self) -> tuple[str, str]:
        """The two events that its cycles lie between."""
        read = "guard" if self.operand == 0 else f"operand {self.operand}"
        return f"issue of {self.producer}", f"issue of {self.consumer} with the result as {read}"


@dataclass(frozen=True)
class Window:
    """The instructions between the clock reads of one kernel.

    Attributes:
        before: The declared overhead before the chain.
        body: The chain.
        after: The declared overhead after it.
        gaps: For a series, the instructions between neighbors of one opcode if they are padding
            alone: the first of the two with its padding.
    """

    before: tuple[SassInstruction, ...]
    body: tuple[SassInstruction, ...]
    after: tuple[SassInstruction, ...]
    gaps: tuple[tuple[SassInstruction, ...], ...] = ()

    def opcodes(self) -> Counter[str]:
        """How often each opcode is in the chain."""
        return Counter(each.opcode for each in self.body)

    def distances(self) -> Counter[Edge | int]:
        """Distances between issues of neighbors: an edge, or else the first one's stall count.

        The last instruction of the chain counts with its stall count.
        """
        found: Counter[Edge | int] = Counter()
        at = {place: edge for edge, places in self.edges().items() for place in places}
        for place, each in enumerate(self.body):
            found[at.get(place, each.control.stall)] += 1
        return found

    def lines(self) -> list[str]:
        """The chain as a page prints it: control word, opcode and operands."""
        return [f"{each.control}  {each.opcode} {each.operands}" for each in self.body]

    def edges(self) -> dict[Edge, list[int]]:
        """Every edge between neighbors of the chain, with the places of its producers in `body`."""
        found: dict[Edge, list[int]] = {}
        for place, (producer, consumer) in enumerate(zip(self.body, self.body[1:], strict=False)):
            read = slot(producer, consumer)
            if read is not None:
                fixed = producer.control.write_barrier == NO_BARRIER
                edge = Edge(producer.opcode, consumer.opcode, read, fixed)
                found.setdefault(edge, []).append(place)
        return found


def reads_of_the_clock(instructions: Sequence[SassInstruction]) -> tuple[int, int]:
    """The places of a kernel's two clock reads; a third one is that of warps that multiply beside.

    Raises:
        UserError: there are not two.
    """
    reads = [
        i
        for i, each in enumerate(instructions)
        if each.opcode == _CLOCK and "SR_CLOCK" in each.operands
    ]
    if len(reads) == 3 and any("GMMA." in each.opcode for each in instructions[reads[1] :]):
        reads = reads[:2]
    if len(reads) != 2:
        raise UserError(f"the kernel reads the clock {len(reads)} times, not twice")
    return reads[0], reads[1]


def window(instructions: Sequence[SassInstruction]) -> Window:
    """Return the window of a kernel of `text`.

    Raises:
        UserError: there are not two clock reads, or the overhead is not the declared one.
    """
    first, second = reads_of_the_clock(instructions)
    inside = list(instructions[first + 1 : second])
    before: list[SassInstruction] = []
    for name in (*PROLOGUE, *CONVERGENCE):
        found = next((each for each in inside[:8] if each.opcode == name), None)
        if found is not None:
            inside.remove(found)
            before.append(found)
        elif name in PROLOGUE:
            raise UserError(f"the window does not begin with {name}")
    tail = inside[len(inside) - len(EPILOGUE) :]
    if tuple(each.opcode for each in tail) != EPILOGUE:
        raise UserError(f"the window does not end with {', '.join(EPILOGUE)}")
    return Window(tuple(before), tuple(inside[: -len(EPILOGUE)]), tuple(tail))


@dataclass(frozen=True)
class Code:
    """Instructions in the windows of one chain, at every length.

    Attributes:
        period: How often each opcode is in one turn of the steps.
        overhead: Other instructions in the window, at every length.
        reason: Why the windows are not that; "" if they are.
    """

    period: Mapping[str, int]
    overhead: Mapping[str, int]
    reason: str

    @property
    def holds(self) -> bool:
        """Whether each window has the declared instructions alone."""
        return not self.reason


def code(windows: Mapping[int, Window], declared: Collection[str] = ()) -> Code:
    """Compare the windows of a chain at several numbers of turns.

    The opcodes must grow by the same number with each turn, and no turn may spill to local memory:
    accesses to it must be among the `declared` opcodes.
    """
    counts = {turns: own.opcodes() for turns, own in sorted(windows.items())}
    (first, low), *_, (last, high) = counts.items()
    names = sorted(low | high)
    growth = {name: Fraction(high[name] - low[name], last - first) for name in names}
    uneven = [name for name, each in growth.items() if each.denominator != 1 or each < 0]
    if uneven:
        return Code({}, {}, f"the number of {uneven[0]} does not grow evenly with the links")
    period = {name: int(each) for name, each in growth.items() if each}
    overhead = {n: low[n] - first * period.get(n, 0) for n in names}
    for turns, own in counts.items():
        if any(own[name] != overhead[name] + turns * period.get(name, 0) for name in names):
            return Code({}, {}, f"{turns} turns have other instructions than {first} and {last}")
    if any(each < 0 for each in overhead.values()) or not period:
        return Code({}, {}, "ptxas merged links")
    local = [name for name in names if name.startswith(("LDL", "STL"))]
    spilled = [name for name in local if name not in declared]
    if spilled:
        return Code({}, {}, f"the window spills registers: {spilled[0]}")
    return Code(period, {name: each for name, each in overhead.items() if each}, "")

"""Random programs whose lanes part, and what each lane computes, worked out lane by lane.

A program is a tree of statements over six 32-bit registers: arithmetic, guarded arithmetic,
branches, switches, loops with breaks and continues, jumps out of several of these at once, and
exits. Lanes also exchange values by shfl.sync, where all of them meet or those that took one
branch. `text` writes it as PTX; `Lane` plays it in plain Python, one lane at a time, so that
nothing depends on which lanes run together (PTX ISA, Independent Thread Scheduling).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

from lanemap.conformance.programs.kernel_text import entry

LANES, REGISTERS, MOST_ROUNDS = 32, 6, 7
ALL = 0xFFFFFFFF
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add.u32": lambda a, b: a + b, "sub.u32": lambda a, b: a - b,
    "mul.lo.u32": lambda a, b: a * b, "xor.b32": lambda a, b: a ^ b,
    "and.b32": lambda a, b: a & b, "or.b32": lambda a, b: a | b,
    "min.u32": min, "max.u32": max,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "lt.u32": lambda a, b: a < b, "ge.u32": lambda a, b: a >= b,
    "eq.u32": lambda a, b: a == b, "ne.u32": lambda a, b: a != b,
}  # fmt: skip
Body = tuple["Statement", ...]


@dataclass(frozen=True)
class Condition:
    """Compares low bits of two registers, so that lanes differ: `a & mask` with `b & mask`."""

    comparison: str
    a: int
    b: int
    mask: int

    def holds(self, registers: Sequence[int]) -> bool:
        """In a lane with these registers."""
        compare = COMPARISONS[self.comparison]
        return compare(registers[self.a] & self.mask, registers[self.b] & self.mask)

    def text(self) -> list[str]:
        """Into %p."""
        return [
            f"and.b32 %x, %r{self.a}, {self.mask}; and.b32 %y, %r{self.b}, {self.mask};",
            f"setp.{self.comparison} %p, %x, %y;",
        ]


@dataclass(frozen=True)
class Statement:
    """One statement.

    Attributes:
        what: set, guard, if, loop, switch, leave, continue, exchange or exit.
        number: its own, for labels.
        condition: of guard, if, leave, continue and exit.
        operation: of set and guard.
        to, a, b: registers.
        bodies: of if (two), loop (one) and switch.
        levels: how many bodies a leave ends.
        mask: with which lanes an exchange xors its own number.
    """

    what: str
    number: int
    condition: Condition | None = None
    operation: str = ""
    to: int = 0
    a: int = 0
    b: int = 0
    bodies: tuple[Body, ...] = ()
    levels: int = 0
    mask: int = 0


# -- making one -----------------------------------------------------------------------------------


class _Maker:
    def __init__(self, seed: int) -> None:
        self._choose, self._number = random.Random(seed), 0

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _register(self) -> int:
        return self._choose.randrange(REGISTERS)

    def _condition(self) -> Condition:
        return Condition(
            self._choose.choice(list(COMPARISONS)),
            self._register(),
            self._register(),
            self._choose.choice((1, 3, 7, 15)),
        )

    def _plain(self) -> Statement:
        guarded = self._choose.random() < 0.3
        return Statement(
            "guard" if guarded else "set",
            self._next(),
            self._condition() if guarded else None,
            self._choose.choice(list(OPERATIONS)),
            self._register(),
            self._register(),
            self._register(),
        )

    def _exchange(self, mask: int = 31) -> Statement:
        return Statement(
            "exchange",
            self._next(),
            to=self._register(),
            a=self._register(),
            mask=self._choose.randrange(1, mask + 1),
        )

    def body(self, depth: int, loops: int, length: int) -> Body:
        """Statements inside `depth` others, of which `loops` say how far out the last loop is."""
        return tuple(self._statement(depth, loops) for _ in range(length))

    def _statement(self, depth: int, loops: int) -> Statement:
        kind, number, more = self._choose.random(), self._next(), self._choose.randrange(1, 4)
        if kind < 0.45 or (depth > 3 and kind < 0.85):
            return self._plain()
        if kind < 0.6:
            bodies = tuple(self.body(depth + 1, loops and loops + 1, more) for _ in range(2))
            return Statement("if", number, self._condition(), bodies=bodies)
        if kind < 0.75:
            return Statement(
                "loop", number, a=self._register(), bodies=(self.body(depth + 1, 1, more),)
            )
        if kind < 0.85:
            cases = self._choose.randrange(2, 5)
            bodies = tuple(self.body(depth + 1, loops and loops + 1, more) for _ in range(cases))
            return Statement("switch", number, a=self._register(), bodies=bodies)
        if kind < 0.93 and depth:
            levels = self._choose.randrange(1, depth + 1)
            return Statement("leave", number, self._condition(), levels=levels)
        if loops:
            return Statement("continue", number, self._condition(), levels=loops)
        return self._plain()

    def program(self, length: int) -> Body:
        """A whole program: the last statements may end lanes, those before may exchange values."""
        found: list[Statement] = []
        for _ in range(length):
            kind = self._choose.random()
            if kind < 0.2:
                found.append(self._exchange())
            elif kind < 0.35:
                bodies = tuple((self._exchange(), *self.body(1, 0, 2)) for _ in range(2))
                found.append(Statement("if", self._next(), self._condition(), bodies=bodies))
            else:
                found.append(self._statement(0, 0))
        for _ in range(2):
            found.append(Statement("exit", self._next(), self._condition()))
            found += self.body(0, 0, 2)
        return tuple(found)


def make(seed: int, length: int) -> Body:
    """A random program of about so many statements at its top."""
    return _Maker(seed).program(length)


# -- as PTX ---------------------------------------------------------------------------------------


def _lines(body: Body, ends: tuple[str, ...]) -> Iterator[str]:
    """Statements; `ends` are the labels behind the bodies around them, innermost first."""
    for s in body:
        if s.condition is not None:
            yield from s.condition.text()
        n = s.number
        if s.what in ("set", "guard"):
            guard = "@%p " if s.what == "guard" else ""
            yield f"{guard}{s.operation} %r{s.to}, %r{s.a}, %r{s.b};"
        elif s.what == "if":
            yield "mov.u32 %k, %m; vote.sync.ballot.b32 %m, %p, %k;" if _meets(s) else ""
            yield f"@!%p bra L{n}_1;"
            yield from _lines(s.bodies[0], (f"L{n}", *ends))
            yield f"bra L{n};"
            yield f"L{n}_1:"
            yield "not.b32 %m, %m;" if _meets(s) else ""
            yield from _lines(s.bodies[1], (f"L{n}", *ends))
            yield f"L{n}:"
            yield f"mov.u32 %m, {ALL};" if _meets(s) else ""
        elif s.what == "loop":
            yield f"and.b32 %c{n}, %r{s.a}, {MOST_ROUNDS};"
            yield f"L{n}_0:"
            yield f"setp.eq.u32 %p, %c{n}, 0;"
            yield f"@%p bra L{n};"
            yield f"sub.u32 %c{n}, %c{n}, 1;"
            yield from _lines(s.bodies[0], (f"L{n}", *ends))
            yield f"bra L{n}_0;"
            yield f"L{n}:"
        elif s.what == "switch":
            labels = [f"L{n}_{i}" for i in range(len(s.bodies))]
            yield f"rem.u32 %x, %r{s.a}, {len(labels)};"
            yield f"T{n}: .branchtargets {', '.join(labels)};"
            yield f"brx.idx %x, T{n};"
            for label, inner in zip(labels, s.bodies, strict=True):
                yield f"{label}:"
                yield from _lines(inner, (f"L{n}", *ends))
                yield f"bra L{n};"
            yield f"L{n}:"
        elif s.what == "leave":
            yield f"@%p bra {ends[s.levels - 1]};"
        elif s.what == "continue":
            yield f"@%p bra {ends[s.levels - 1]}_0;"
        elif s.what == "exit":
            yield "@%p exit;"
        else:
            yield from (
                f"xor.b32 %y, %lane, {s.mask}; shr.u32 %x, %m, %y; and.b32 %x, %x, 1;",
                "setp.eq.u32 %p, %x, 1; selp.b32 %y, %y, %lane, %p;",
                f"shfl.sync.idx.b32 %r{s.to}, %r{s.a}, %y, 31, %m;",
            )


def _meets(s: Statement) -> bool:
    """Whether the lanes of a branch exchange values at its beginning."""
    return any(inner and inner[0].what == "exchange" for inner in s.bodies)


def text(program: Body) -> str:
    """The kernel; it stores each lane's registers behind one another."""
    body = "\n".join(line for line in _lines(program, ()) if line)
    counters = sorted(
        {part for part in body.replace(",", " ").replace(";", " ").split() if part.startswith("%c")}
    )
    declared = f".reg .b32 {', '.join(counters)};" if counters else ""
    begin = "\n".join(f"mad.lo.u32 %r{i}, %lane, {2 * i + 1}, {i};" for i in range(REGISTERS))
    store = "\n".join(f"st.global.u32 [%a + {4 * i}], %r{i};" for i in range(REGISTERS))
    whole = f"""\
.reg .pred %p; .reg .b32 %r<{REGISTERS}>, %x, %y, %k, %m, %lane; .reg .b64 %a; {declared}
mov.u32 %lane, %tid.x; mad.wide.u32 %a, %lane, {4 * REGISTERS}, %out;
mov.u32 %m, {ALL};
{begin}
{body}
{store}"""
    return entry(whole, "out")


# -- lane by lane ---------------------------------------------------------------------------------


class _Left(Exception):
    """Bodies end: so many."""

    def __init__(self, levels: int, again: bool = False) -> None:
        self.levels, self.again = levels, again


class _Ended(Exception):
    """The lane ends."""


#: What a lane asks for: (statement, lane asked, own value, mask), and gets: the value.
Ask = tuple[int, int, int, int]
Steps = Generator[Ask, int, None]


class Lane:
    """One lane's registers as it plays a program; `exchange` hands values over."""

    def __init__(self, number: int) -> None:
        self.number, self.mask, self.ended = number, ALL, False
        self.registers = [(number * (2 * i + 1) + i) & ALL for i in range(REGISTERS)]

    def play(self, program: Body) -> Steps:
        """Go through a program."""
        try:
            yield from self._body(program)
        except _Ended:
            self.ended = True

    def _body(self, body: Body) -> Steps:
        for s in body:
            yield from self._statement(s)

    def _statement(self, s: Statement) -> Steps:
        r = self.registers
        holds = s.condition is None or s.condition.holds(r)
        if s.what in ("set", "guard"):
            if holds:
                r[s.to] = OPERATIONS[s.operation](r[s.a], r[s.b]) & ALL
        elif s.what == "exit":
            if holds:
                raise _Ended
        elif s.what in ("leave", "continue"):
            if holds:
                raise _Left(s.levels, s.what == "continue")
        elif s.what == "exchange":
            asked = self.number ^ s.mask
            if not self.mask >> asked & 1:
                asked = self.number
            r[s.to] = yield s.number, asked, r[s.a], self.mask
        elif s.what == "loop":
            yield from self._loop(s)
        else:
            yield from self._branch(s, holds)

    def _branch(self, s: Statement, holds: bool) -> Steps:
        which = int(not holds) if s.what == "if" else self.registers[s.a] % len(s.bodies)
        if _meets(s):
            # all lanes say which way they take before any of them goes on
            taken = yield -s.number, self.number, int(holds), ALL
            self.mask = taken if holds else ~taken & ALL
        try:
            yield from self._body(s.bodies[which])
        except _Left as left:
            if left.levels > 1:
                raise _Left(left.levels - 1, left.again) from None
        if _meets(s):
            self.mask = ALL

    def _loop(self, s: Statement) -> Steps:
        for _ in range(self.registers[s.a] & MOST_ROUNDS):
            try:
                yield from self._body(s.bodies[0])
            except _Left as left:
                if left.levels > 1:
                    raise _Left(left.levels - 1, left.again) from None
                if not left.again:
                    return


def play(program: Body) -> list[list[int] | None]:
    """The registers of each lane at the end; None of one that ended before."""
    lanes = [Lane(number) for number in range(LANES)]
    steps = [lane.play(program) for lane in lanes]
    asks: dict[int, Ask] = {}
    answers: dict[int, int | None] = dict.fromkeys(range(LANES))
    while answers:
        for number, answer in answers.items():
            try:
                asks[number] = next(steps[number]) if answer is None else steps[number].send(answer)
            except StopIteration:
                asks.pop(number, None)
        answers = dict(_answered(asks))
        for number in answers:
            del asks[number]
    assert not asks, "lanes wait for others that never come"
    return [None if lane.ended else lane.registers for lane in lanes]


def _answered(asks: dict[int, Ask]) -> list[tuple[int, int | None]]:
    """The lanes whose partners have all come to the same place, and what each of them gets."""
    found: list[tuple[int, int | None]] = []
    for number, (place, asked, _, mask) in asks.items():
        members = [lane for lane in range(LANES) if mask >> lane & 1]
        if any(lane not in asks or asks[lane][0] != place for lane in members):
            continue
        if place < 0:
            found.append((number, sum(asks[lane][2] << lane for lane in members)))
        else:
            found.append((number, asks[asked][2]))
    return found

"""Random programs in which the lanes of one warp share memory, and which of their accesses race.

A program is a list of steps in an order in which they could run: one lane accesses 1 to 16 bytes of
shared memory, or some lanes meet at bar.warp.sync. What a lane does comes in order, and what was
before a meeting in any of its lanes is before what follows it in all of them (PTX ISA,
bar.warp.sync; CUDA C++ Programming Guide, __syncwarp). Two accesses of one byte by two lanes race
if at least one writes and neither is ordered before the other, but for two atomics.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.conformance.programs.kernel_text import entry

LANES, BYTES, WIDTHS = 32, 16, (1, 2, 4, 8, 16)
LOAD, STORE, ATOMIC, MEET = range(4)
#: Lanes that take part; fewer of them meet more often.
ACTORS = (0, 1, 5, 16, 31)


@dataclass(frozen=True)
class Step:
    """An access by a lane, or a meeting of the lanes in a mask."""

    what: int
    lane: int = 0
    at: int = 0
    width: int = 0
    value: int = 0
    members: int = 0

    @property
    def code(self) -> int:
        """The number of the kernel's case."""
        if self.what == MEET:
            return 12
        if self.what == ATOMIC:
            return 10 + WIDTHS.index(self.width) - 2
        return 5 * self.what + WIDTHS.index(self.width)


def _case(code: int) -> str:
    words = ["b8 {}%v0", "b16 {}%h0", "b32 {}%v0", "b64 {}%d0", "v2.b64 {}{{%d0, %d0}}"]
    if code >= 10:
        kind, register = (("b32", "%v0"), ("b64", "%d0"))[code - 10]
        return f"@%me atom.shared.exch.{kind} {register.replace('0', '2')}, [%a], {register};"
    if code < 5:
        text = words[code].format("").replace("%d0, %d0", "%d2, %d3").replace("0", "2")
        return f"@%me ld.shared.{text}, [%a];"
    return f"@%me st.shared.{words[code - 5].format('[%a], ')};"


def kernel() -> str:
    """PTX whose lanes play a program: steps of 16 bytes (code, at, value, lane or members)."""
    cases = "\n".join(f"C{i}: {_case(i)}\nbra NEXT;" for i in range(12))
    names = ", ".join(f"C{i}" for i in range(13))
    body = f"""\
.reg .pred %p, %me; .reg .b16 %h<4>; .reg .b32 %lane, %code, %c, %v<4>, %x<4>;
.reg .b64 %a, %s, %i, %end, %d<4>;
.shared .align 16 .b8 memory[{BYTES}];
mov.u32 %lane, %tid.x; mov.u64 %s, memory;
setp.lt.u32 %p, %lane, {BYTES}; cvt.u64.u32 %a, %lane; add.u64 %a, %a, %s;
@%p st.shared.b8 [%a], 0;
bar.sync 0;
mov.b64 %i, %steps; mad.wide.u32 %end, %count, 16, %i;
LOOP:
setp.ge.u64 %p, %i, %end;
@%p bra END;
ld.global.v4.u32 {{%code, %x0, %x1, %x2}}, [%i];
add.u64 %i, %i, 16;
cvt.u64.u32 %a, %x0; add.u64 %a, %a, %s;
mov.b32 %v0, %x1; cvt.u16.u32 %h0, %x1; mov.b64 %d0, {{%x1, %x1}};
setp.eq.u32 %me, %lane, %x2;
CASES: .branchtargets {names};
brx.idx %code, CASES;
{cases}
C12:
shr.u32 %c, %x2, %lane; and.b32 %c, %c, 1; setp.eq.u32 %me, %c, 0;
@%me bra NEXT;
bar.warp.sync %x2;
NEXT:
bra LOOP;
END:"""
    return entry(body, "steps count:u32")


class _Orders:
    """What each lane knows of the others' accesses, and the accesses so far."""

    def __init__(self) -> None:
        self._clock = np.zeros((LANES, LANES), int)
        self._accesses: list[list[tuple[Step, int]]] = [[] for _ in range(BYTES)]

    def races(self, step: Step) -> bool:
        """Would it race with anything so far?"""
        if step.what == MEET:
            return False
        return any(
            other.lane != step.lane
            and self._clock[step.lane, other.lane] < number
            and (step.what, other.what) not in ((LOAD, LOAD), (ATOMIC, ATOMIC))
            for byte in range(step.at, step.at + step.width)
            for other, number in self._accesses[byte]
        )

    def take(self, step: Step) -> None:
        """Let it happen."""
        if step.what == MEET:
            lanes = [lane for lane in range(LANES) if step.members >> lane & 1]
            self._clock[lanes] = self._clock[lanes].max(0)
            return
        self._clock[step.lane, step.lane] += 1
        for byte in range(step.at, step.at + step.width):
            self._accesses[byte].append((step, int(self._clock[step.lane, step.lane])))


def _access(choose: random.Random, value: int) -> Step:
    what = choose.choice((LOAD, LOAD, STORE, STORE, STORE, ATOMIC))
    width = choose.choice(WIDTHS[2:4] if what == ATOMIC else WIDTHS)
    at = choose.randrange(BYTES // width) * width
    return Step(what, choose.choice(ACTORS), at, width, value * 0x01010101)


def _meeting(choose: random.Random) -> Step:
    if choose.random() < 0.2:
        return Step(MEET, members=0xFFFFFFFF)
    members = choose.sample(ACTORS, choose.randrange(2, len(ACTORS)))
    return Step(MEET, members=sum(1 << lane for lane in members))


def clean(seed: int, length: int) -> list[Step]:
    """A program without a race."""
    choose = random.Random(seed)
    orders, steps = _Orders(), list[Step]()
    while len(steps) < length:
        step = _access(choose, 1 + len(steps))
        if choose.random() < 0.15 or orders.races(step):
            step = _meeting(choose)
        orders.take(step)
        steps.append(step)
    return steps


def racy(seed: int, length: int) -> list[Step]:
    """A program in which exactly one access races, with one or more of the others."""
    choose = random.Random(seed)
    steps = clean(seed, length)
    while True:
        at = choose.randrange(length)
        program = [*steps[:at], _access(choose, 1 + length), *steps[at:]]
        if races(program):
            return program


def races(steps: Sequence[Step]) -> bool:
    """Whether any two accesses of a program race."""
    orders, found = _Orders(), False
    for step in steps:
        found = found or orders.races(step)
        orders.take(step)
    return found


def table(steps: Sequence[Step]) -> NDArray[np.uint32]:
    """The steps as the kernel reads them."""
    return np.array(
        [(s.code, s.at, s.value, s.members if s.what == MEET else s.lane) for s in steps], np.uint32
    )

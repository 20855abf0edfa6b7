"""Random programs of accesses of 1 to 16 bytes, and which of them race.

A program is a list of steps in an order in which they could run; each belongs to one warp. Warps
access 16 bytes of their CTA's shared memory and 16 of global memory, and meet at barriers, each
set of warps at one of its own. They may also pass messages: a flag is set once, and waited for
after it is set, so that no program hangs.

Which accesses are ordered follows from the program alone: what a warp does comes in order, and what
was before a barrier in any of its warps is before what follows it in all of them (PTX ISA, bar). A
release, or a fence and a relaxed store behind it, comes before whoever reads the flag by an
acquire, or by a relaxed load and a fence behind it (PTX ISA, Memory Consistency Model, Release and
Acquire Patterns). Two accesses of one byte race if at least one writes and neither is ordered
before the other, but for two atomics, and for stores of what is there already: those
have 16 bytes more, which nothing but zeros is stored to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lanemap.conformance.programs.kernel_text import entry

WARPS, WIDTHS, BYTES = 4, (1, 2, 4, 8, 16), 16
#: Bytes of shared or global memory: those that race, then those that only zeros are stored to.
MEMORY = 2 * BYTES
LOAD, STORE, ATOMIC, MEET = "load store atomic meet".split()
#: Steps by which messages pass, and the kernel's statement: %f is the flag's address.
MESSAGES = {
    "fence": "@%in fence.acq_rel.gpu;",
    "set.release": "@%in st.release.gpu.global.u32 [%f], 1;",
    "set.relaxed": "@%in st.relaxed.gpu.global.u32 [%f], 1;",
    "add.release": "@%in red.release.gpu.global.add.u32 [%f], 1;",
    "add.relaxed": "@%in atom.relaxed.gpu.global.add.u32 %v2, [%f], 1;",
    "wait.acquire": "ld.acquire.gpu.global.u32 %v2, [%f];",
    "wait.relaxed": "ld.relaxed.gpu.global.u32 %v2, [%f];",
}  # fmt: skip
FENCE = "fence"
#: Sets of two or more warps, and the barrier of each.
BARRIERS = {
    members: number
    for number, members in enumerate(
        (c for n in (2, 3, 4) for c in combinations(range(WARPS), n)), 1
    )
}


@dataclass(frozen=True)
class Step:
    """What a warp does.

    Attributes:
        warp: its number in the whole grid.
        what: LOAD, STORE, ATOMIC, MEET or one of MESSAGES.
        space: "shared" or "global".
        at: first byte.
        width: bytes.
        value: what each byte becomes.
        members: of a barrier, numbers in the CTA.
        flag: of a message.
    """

    warp: int
    what: str
    space: str = "shared"
    at: int = 0
    width: int = 0
    value: int = 0
    members: tuple[int, ...] = ()
    flag: int = 0

    @property
    def code(self) -> int:
        """The number of the kernel's case."""
        if self.what == MEET:
            return 24
        if self.what in MESSAGES:
            return 25 + list(MESSAGES).index(self.what)
        first = 12 if self.space == "global" else 0
        if self.what == ATOMIC:
            return first + 10 + WIDTHS.index(self.width) - 2
        return first + 5 * (self.what == STORE) + WIDTHS.index(self.width)


def _case(code: int) -> str:
    """The statement of one case."""
    space, number = (".global", code - 12) if code >= 12 else (".shared", code)
    base = "%data" if code >= 12 else "%s"
    words = ["b8 {}%v0", "b16 {}%h0", "b32 {}%v0", "b64 {}%d0", "v2.b64 {}{{%d0, %d1}}"]
    guard = f"add.u64 %a, {base}, %at; @%in "
    if number >= 10:
        kind, register = (("b32", "%v0"), ("b64", "%d0"))[number - 10]
        return f"{guard}atom{space}.exch.{kind} _, [%a], {register};"
    text = words[number % 5]
    if number < 5:
        return f"{guard}ld{space}.{text.format('').replace('0', '2').replace('d1', 'd3')}, [%a];"
    return f"{guard}st{space}.{text.format('[%a], ')};"


def _message(code: int, statement: str) -> str:
    """One case of a message; who waits does so until the flag is set."""
    if "ld." in statement:
        again = f"setp.eq.u32 %p, %v2, 0; @%p bra W{code};"
        statement = f"@!%in bra NEXT;\nW{code}: {statement} {again}"
    return f"C{code}: add.u64 %f, %flags, %at; {statement}\nbra NEXT;"


def kernel() -> str:
    """PTX that plays a program: each warp its steps (code, at or flag, value, members)."""
    cases = [f"C{i}: {_case(i)}\nbra NEXT;" for i in range(24)]
    cases += [_message(i, text) for i, text in enumerate(MESSAGES.values(), 25)]
    names = ", ".join(f"C{i}" for i in range(25 + len(MESSAGES)))
    body = f"""\
.reg .pred %p, %in; .reg .b16 %h<4>; .reg .b32 %n, %w, %lane, %code, %t, %v<4>, %x<4>;
.reg .b64 %a, %at, %s, %i, %end, %f, %d<4>;
.shared .align 16 .b8 memory[{MEMORY}];
mov.u32 %n, %tid.x; and.b32 %lane, %n, 31; setp.eq.u32 %in, %lane, 0;
mov.u32 %t, %ctaid.x; mad.lo.u32 %w, %t, {32 * WARPS}, %n; shr.u32 %w, %w, 5;
mov.u64 %s, memory; mad.wide.u32 %f, %w, 4, %first; mov.b64 %i, %steps;
ld.global.u32 %t, [%f + 4]; mad.wide.u32 %end, %t, 16, %i;
ld.global.u32 %t, [%f]; mad.wide.u32 %i, %t, 16, %i;
setp.lt.u32 %p, %n, {MEMORY // 4}; mul.wide.u32 %a, %n, 4; add.u64 %a, %a, %s;
@%p st.shared.b32 [%a], 0;
bar.sync 0;
LOOP:
setp.ge.u64 %p, %i, %end;
@%p bra END;
ld.global.v4.u32 {{%code, %x0, %x1, %x2}}, [%i];
add.u64 %i, %i, 16;
cvt.u64.u32 %at, %x0; mov.b32 %v0, %x1; cvt.u16.u32 %h0, %x1; mov.b64 %d0, {{%x1, %x1}};
mov.b64 %d1, %d0;
CASES: .branchtargets {names};
brx.idx %code, CASES;
{chr(10).join(cases)}
C24: bar.sync %x0, %x2;
NEXT:
bra LOOP;
END:"""
    return entry(body, "steps first data flags")


class _Orders:
    """Who knows how far which warp has come, and every access so far."""

    def __init__(self, warps: int) -> None:
        self._clock = np.zeros((warps, warps), int)
        self._fenced = np.zeros((warps, warps), int)  # what a relaxed store after it releases
        self._seen = np.zeros((warps, warps), int)  # what a fence after a relaxed load acquires
        self._flags: dict[int, NDArray[np.int64]] = {}
        self._accesses: dict[tuple[str, int, int], list[tuple[Step, int]]] = {}

    @staticmethod
    def _places(step: Step) -> Iterator[tuple[str, int, int]]:
        cta = step.warp // WARPS if step.space == "shared" else 0
        return ((step.space, cta, byte) for byte in range(step.at, step.at + step.width))

    def races(self, step: Step) -> bool:
        """Would it race with anything so far?"""
        if step.what not in (LOAD, STORE, ATOMIC):
            return False
        return any(
            self._unordered(step, other, number) and _conflict(step, other)
            for place in self._places(step)
            if place[2] < BYTES
            for other, number in self._accesses.get(place, [])
        )

    def _unordered(self, step: Step, other: Step, number: int) -> bool:
        return other.warp != step.warp and self._clock[step.warp, other.warp] < number

    def take(self, step: Step) -> None:
        """Let it happen."""
        if step.what == MEET:
            warps = [step.warp // WARPS * WARPS + m for m in step.members]
            self._clock[warps] = self._clock[warps].max(0)
            return
        if step.what in MESSAGES:
            self._pass(step.warp, *step.what.split("."), flag=step.flag)
            return
        self._clock[step.warp, step.warp] += 1
        number = int(self._clock[step.warp, step.warp])
        for place in self._places(step):
            self._accesses.setdefault(place, []).append((step, number))

    def _pass(self, warp: int, verb: str, order: str = "", *, flag: int) -> None:
        """A fence, or a message."""
        clock = self._clock
        if verb == FENCE:
            clock[warp] = np.maximum(clock[warp], self._seen[warp])
            self._fenced[warp] = clock[warp]
        elif verb == "wait":
            known = clock if order == "acquire" else self._seen
            known[warp] = np.maximum(known[warp], self._flags[flag])
        else:
            released = clock if order == "release" else self._fenced
            self._flags[flag] = released[warp].copy()


def _conflict(one: Step, other: Step) -> bool:
    if one.what == other.what == ATOMIC:
        return False
    return one.what != LOAD or other.what != LOAD


def _access(choose: random.Random, warp: int, value: int) -> Step:
    """A random access; the value is one that no other step of the program stores."""
    what = choose.choice((LOAD, LOAD, LOAD, STORE, STORE, STORE, ATOMIC))
    width = choose.choice(WIDTHS[2:4] if what == ATOMIC else WIDTHS)
    at = choose.randrange(BYTES // width) * width
    space = choose.choice(("shared", "global"))
    if what != ATOMIC and choose.random() < 0.1:
        at, value = at + BYTES, 0
    return Step(warp, what, space, at, width, value if what != LOAD else 0)


def _meeting(choose: random.Random, warp: int) -> Step:
    members = choose.choice([m for m in BARRIERS if warp % WARPS in m])
    return Step(warp, MEET, members=members)


def _messages(choose: random.Random, warp: int, flags: int) -> list[Step]:
    """A flag that is set, or waited for, with the fence that it needs if it is relaxed."""
    fence, fenced = Step(warp, FENCE), choose.random() < 0.5
    if not flags or choose.random() < 0.4:
        verb = choose.choice(("set", "add"))
        last = Step(warp, f"{verb}.{'relaxed' if fenced else 'release'}", flag=flags)
        return [fence, last] if fenced else [last]
    flag = max(choose.randrange(flags), choose.randrange(flags))
    first = Step(warp, f"wait.{'relaxed' if fenced else 'acquire'}", flag=flag)
    return [first, fence] if fenced else [first]


def clean(seed: int, ctas: int, length: int, messages: bool = False) -> list[Step]:
    """A program without a race."""
    choose = random.Random(seed)
    orders, steps, flags = _Orders(ctas * WARPS), list[Step](), 0
    while len(steps) < length:
        warp = choose.randrange(ctas * WARPS)
        new = [_access(choose, warp, 1 + len(steps))]
        if choose.random() < 0.15 or orders.races(new[0]):
            passes = messages and choose.random() < 0.7
            new = _messages(choose, warp, flags) if passes else [_meeting(choose, warp)]
        flags += any(step.what.startswith(("set", "add")) for step in new)
        for step in new:
            orders.take(step)
            steps.append(step)
    return steps


def damaged(seed: int, ctas: int, length: int) -> list[Step]:
    """A program with messages that races because one step is left out or made relaxed."""
    while True:
        choose = random.Random(seed)
        steps = clean(seed, ctas, length, messages=True)
        for at in choose.sample(range(len(steps)), len(steps)):
            step, rest = steps[at], [*steps[:at], *steps[at + 1 :]]
            verb, _, order = step.what.partition(".")
            if order in ("release", "acquire"):
                rest.insert(at, replace(step, what=f"{verb}.relaxed"))
            elif verb not in (FENCE, MEET, "wait"):
                continue
            if races(rest):
                return rest
        seed += 1_000_003


def racy(seed: int, ctas: int, length: int) -> list[Step]:
    """A program in which exactly one access races, with one or more of the others."""
    choose = random.Random(seed)
    steps = clean(seed, ctas, length)
    while True:
        at = choose.randrange(length)
        extra = _access(choose, choose.randrange(ctas * WARPS), 1 + length)
        program = [*steps[:at], extra, *steps[at:]]
        if extra.at < BYTES and races(program):
            return program


def races(steps: Sequence[Step]) -> bool:
    """Whether any two accesses of a program race."""
    orders, found = _Orders(1 + max(step.warp for step in steps) // WARPS * WARPS + WARPS), False
    for step in steps:
        found = found or orders.races(step)
        orders.take(step)
    return found


def table(steps: Sequence[Step], ctas: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The steps of each warp, and where they begin."""
    rows: list[tuple[int, int, int, int]] = []
    first = [0]
    for warp in range(ctas * WARPS):
        for step in steps:
            if step.what != MEET and step.warp == warp:
                at = 4 * step.flag if step.what in MESSAGES else step.at
                rows.append((step.code, at, step.value * 0x01010101, 0))
            elif (
                step.what == MEET
                and step.warp // WARPS == warp // WARPS
                and (warp % WARPS in step.members)
            ):
                rows.append((step.code, BARRIERS[step.members], 0, 32 * len(step.members)))
        first.append(len(rows))
    return np.array(rows, np.uint32), np.array(first, np.uint32)


def shrunk(steps: Sequence[Step], wrong: object) -> list[Step]:
    """The program without the steps that it fails without, too, for whoever looks into a failure.

    `wrong(steps)` says whether a program still fails.
    """
    assert callable(wrong)
    kept = [replace(step) for step in steps]
    at = 0
    while at < len(kept):
        shorter = [*kept[:at], *kept[at + 1 :]]
        if shorter and wrong(shorter):
            kept = shorter
        else:
            at += 1
    return kept

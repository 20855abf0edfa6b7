"""Random programs of CTAs that pass messages, and which of them race.

A program is a list of steps in an order in which they could run; each belongs to one of two warps
of a CTA. A flag is set once, and waited for after it is set, so that no program hangs. Whether two
accesses are ordered follows from the program alone: PTX ISA, Memory Consistency Model, causality
order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WARPS = 2
(WRITE, READ, SET_RELEASE, SET_RELAXED, WAIT_ACQUIRE, WAIT_RELAXED, FENCE, BARRIER, ADD_RELEASE) = (
    range(9)
)

KERNEL = r"""
struct Step { unsigned what, where, value, unused; };
extern "C" __global__ void play(const Step *steps, const unsigned *first, unsigned *data,
                                unsigned *flags, unsigned *out) {
  unsigned warp = blockIdx.x * 2 + threadIdx.x / 32, seen;
  for (unsigned i = first[warp]; i < first[warp + 1]; i++) {
    Step s = steps[i];
    if (s.what == 7) {
      __syncthreads();
      continue;
    }
    if (threadIdx.x % 32) continue;
    unsigned *word = data + s.where, *flag = flags + s.where;
    switch (s.what) {
      case 0: asm volatile("st.global.u32 [%0], %1;" ::"l"(word), "r"(s.value) : "memory"); break;
      case 1:
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
        out[i] = seen;
        break;
      case 2: asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory"); break;
      case 3: asm volatile("st.relaxed.gpu.u32 [%0], 1;" ::"l"(flag) : "memory"); break;
      case 4:
        do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        break;
      case 5:
        do asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        break;
      case 6: asm volatile("fence.acq_rel.gpu;" ::: "memory"); break;
      case 8: asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory"); break;
    }
  }
}
"""


@dataclass(frozen=True)
class Step:
    """What a warp does; `where` is a word of data or a flag, `value` what it writes."""

    warp: int
    what: int
    where: int = 0
    value: int = 0


class _Orders:
    """Who knows which step of whom, while a program's steps are gone through."""

    def __init__(self, warps: int) -> None:
        self.clock = np.zeros((warps, warps), int)
        self._fenced = np.zeros((warps, warps), int)  # what a relaxed store after it releases
        self._seen = np.zeros((warps, warps), int)  # what a fence after a relaxed load acquires
        self._flags: dict[int, np.ndarray] = {}
        self._met: dict[int, list[int]] = {}
        self._accesses: dict[int, list[tuple[int, int, int]]] = {}

    def races(self, step: Step) -> bool:
        """Would an access of data race with one before it?"""
        return any(
            other != step.warp
            and WRITE in (what, step.what)
            and self.clock[step.warp, other] < number
            for other, number, what in self._accesses.get(step.where, [])
        )

    def access(self, step: Step) -> None:
        """An access of data."""
        self.clock[step.warp, step.warp] += 1
        known = (step.warp, int(self.clock[step.warp, step.warp]), step.what)
        self._accesses.setdefault(step.where, []).append(known)

    def take(self, step: Step) -> None:
        """A step that is no access of data."""
        w, clock = step.warp, self.clock
        if step.what in (SET_RELEASE, ADD_RELEASE):
            self._flags[step.where] = clock[w].copy()
        elif step.what == SET_RELAXED:
            self._flags[step.where] = self._fenced[w].copy()
        elif step.what == WAIT_ACQUIRE:
            clock[w] = np.maximum(clock[w], self._flags[step.where])
        elif step.what == WAIT_RELAXED:
            self._seen[w] = np.maximum(self._seen[w], self._flags[step.where])
        elif step.what == FENCE:
            clock[w] = np.maximum(clock[w], self._seen[w])
            self._fenced[w] = clock[w]
        else:
            self._meet(w)

    def _meet(self, warp: int) -> None:
        here = self._met.setdefault(warp // WARPS, [])
        here.append(warp)
        if len(here) == WARPS:
            joined = self.clock[here].max(0)
            self.clock[here] = joined
            here.clear()


def make(seed: int, ctas: int, words: int, length: int) -> list[Step]:
    """A program of about that many steps without a race."""
    choose = random.Random(seed)
    orders, steps, flags = _Orders(ctas * WARPS), [], 0

    def add(*new: Step) -> None:
        for step in new:
            steps.append(step)
            orders.take(step)

    for number in range(length):
        warp = choose.randrange(ctas * WARPS)
        kind = choose.random()
        if kind < 0.5:
            what = WRITE if choose.random() < 0.5 else READ
            step = Step(warp, what, choose.randrange(words), 1000 + number)
            if not orders.races(step):
                steps.append(step)
                orders.access(step)
        elif kind < 0.7:
            fenced = choose.random() < 0.5
            what = SET_RELAXED if fenced else choose.choice([SET_RELEASE, ADD_RELEASE])
            add(*[Step(warp, FENCE)] * fenced, Step(warp, what, flags))
            flags += 1
        elif kind < 0.95 and flags:
            flag = max(choose.randrange(flags), choose.randrange(flags))
            fenced = choose.random() < 0.5
            what = WAIT_RELAXED if fenced else WAIT_ACQUIRE
            add(Step(warp, what, flag), *[Step(warp, FENCE)] * fenced)
        else:
            first = warp // WARPS * WARPS
            add(*(Step(first + other, BARRIER) for other in range(WARPS)))
    return steps


def damaged(steps: Sequence[Step], at: int) -> list[Step] | None:
    """The program with the step at `at` left out or made relaxed; None if that is an access."""
    step, rest = steps[at], [*steps[:at], *steps[at + 1 :]]
    weaker = {SET_RELEASE: SET_RELAXED, ADD_RELEASE: SET_RELAXED, WAIT_ACQUIRE: WAIT_RELAXED}
    if step.what in weaker:
        rest.insert(at, Step(step.warp, weaker[step.what], step.where))
    elif step.what == BARRIER:
        before = sum(s == step for s in steps[:at])
        partner = Step(step.warp ^ 1, BARRIER)
        rest.pop([i for i, s in enumerate(rest) if s == partner][before])
    elif step.what not in (FENCE, WAIT_RELAXED):
        return None
    return rest


def expect(steps: Sequence[Step]) -> tuple[list[int], bool]:
    """What each read finds when the steps run in their order, and whether any two accesses race."""
    warps = 1 + max((step.warp for step in steps), default=0)
    orders, found, race = _Orders(warps + warps % WARPS), [], False
    memory: dict[int, int] = {}
    for step in steps:
        if step.what not in (WRITE, READ):
            orders.take(step)
            continue
        race |= orders.races(step)
        orders.access(step)
        if step.what == WRITE:
            memory[step.where] = step.value
        else:
            found.append(memory.get(step.where, 0))
    return found, race

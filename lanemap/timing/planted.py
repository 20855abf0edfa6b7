"""A machine with planted timing: what an analysis of timings must recover, or refuse.

It executes nothing. It reads the window of a cubin, issues its instructions by their control words,
and answers with the cycles that a table of secret latencies gives. A consumer that issues too early
spoils the results of its kernel. `Accident` names errors that published measurements made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.timing.launch import NO_MORE, ROUNDS, WARP, More, Outcome, Words
from lanemap.timing.series import SERIES, whole_window
from lanemap.timing.window import Window, slot, window
from lanemap.toolchain.control import NO_BARRIER, Control
from lanemap.toolchain.patch import words
from lanemap.toolchain.sass import SassInstruction, disassemble

#: SMs of the machine, and schedulers of each.
MULTIPROCESSORS, SCHEDULERS = 12, 4


#: What nvdisasm said of each program, by a hash that leaves control words out: machines are made by
#: the dozen, for the same programs.
_READ: dict[int, dict[str, list[SassInstruction]]] = {}


class Accident(Enum):
    """How a machine misleads; `NONE` does not."""

    NONE = "none"
    INTERLOCKED = "waits for operands whatever the stall count says"
    MOVING_CLOCK = "counts another number of clock cycles at each launch"
    LOOP_COST = "takes some cycles more at each branch back, or every 16 instructions without one"
    SATURATED = "makes every instruction after the twentieth wait for a full queue"
    DEAF = "gives the right results however early a consumer issues"


@dataclass(frozen=True)
class Secret:
    """The planted facts, which the analysis must find.

    Attributes:
        latencies: By producer, consumer and operand, the cycles between their issues; else 0.
        intervals: By opcode, the cycles for which an instruction holds its pipe; else 1.
        pipes: By opcode, its pipe, of which each scheduler has one; else a pipe of its own.
        back: Cycles that a branch back takes.
    """

    latencies: Mapping[tuple[str, str, int], int]
    intervals: Mapping[str, int]
    pipes: Mapping[str, str] = field(default_factory=dict)
    back: int = 9


class PlantedMachine:
    """A machine of `launch.Machine`'s kind."""

    def __init__(
        self, secret: Secret, accident: Accident = Accident.NONE, seed: int = 1, trips: int = 1
    ) -> None:
        """Keep the secret; `trips` is how often loops run, which no instruction tells it."""
        self.secret, self.accident, self.trips = secret, accident, trips
        self._draw = random.Random(seed)

    def load(self, cubin: bytes | str) -> PlantedModule:
        """Read the cubin's instructions.

        Cubins that differ in control words alone share what nvdisasm said.
        """
        if isinstance(cubin, str):
            raise UserError("a planted machine loads cubins only, not text")
        own = words(cubin)
        program = hash(tuple((name, *map(Control.cleared, each)) for name, each in own.items()))
        if program not in _READ:
            _READ[program] = disassemble(cubin)
        return PlantedModule(
            self,
            {
                name: [replace(each, word=own[name][number]) for number, each in enumerate(listed)]
                for name, listed in _READ[program].items()
            },
        )

    def arguments(self, make: Callable[[Any], Sequence[Any]]) -> Sequence[Any]:
        """None: nothing executes."""
        return ()

    def scale(self) -> float:
        """Clock cycles counted for each cycle of the pipes."""
        return self._draw.uniform(0.7, 1.3) if self.accident is Accident.MOVING_CLOCK else 1.0


class PlantedModule:
    """A loaded cubin."""

    def __init__(
        self, machine: PlantedMachine, functions: Mapping[str, list[SassInstruction]]
    ) -> None:
        """Keep the instructions of each kernel."""
        self._machine, self._functions = machine, functions

    def launch(self, entry: str, inputs: Words, more: More = NO_MORE) -> Outcome:
        """Answer as a GPU would; see `launch.Loaded`."""
        ctas, threads, _ = inputs.shape
        warps = -(-threads // WARP)
        own = self._functions[entry]
        whole = entry.startswith(SERIES)
        taken, spoiled = _run(whole_window(own) if whole else window(own), warps, self._machine)
        results = inputs[:, :, 0] * np.uint32(2654435761)
        if spoiled:
            results = results ^ np.uint32(spoiled)
        clocks = np.zeros((ctas, warps, ROUNDS, 2), np.uint64)
        clocks[..., 1] = round(taken * self._machine.scale())
        places = np.repeat(np.arange(ctas, dtype=np.uint32) % MULTIPROCESSORS, warps)
        return Outcome(results, clocks, places.reshape(ctas, warps))


class _Warp:
    """Where a warp is, and what it waits for."""

    def __init__(self, scheduler: int) -> None:
        self.scheduler = scheduler
        self.place = self.now = self.trips = self.executed = 0
        self.done: dict[int, int] = {}
        self.before: SassInstruction | None = None
        self.issued = 0


def _run(own: Window, warps: int, machine: PlantedMachine) -> tuple[int, int]:
    """The cycles of a window, and how many consumers issued too early.

    Warps are spread over the schedulers, of which each issues one instruction a cycle.
    """
    at = {each.label: place for place, each in enumerate(own.body) if each.label}
    running = [_Warp(number % SCHEDULERS) for number in range(warps)]
    free: dict[tuple[int, str], int] = {}
    spoiled = 0
    while running_now := [each for each in running if each.place < len(own.body)]:
        at_of = {each: _when(each, own.body[each.place], free, machine) for each in running_now}
        warp = min(running_now, key=at_of.__getitem__)
        instruction = own.body[warp.place]
        spoiled += _issue(warp, instruction, at_of[warp], free, machine)
        target = at.get(instruction.operands.strip("`()"))
        warp.place += 1
        if instruction.opcode == "BRA" and target is not None and target < warp.place:
            warp.trips += 1
            if warp.trips < machine.trips:
                cost = 12 * (machine.accident is Accident.LOOP_COST)
                warp.place, warp.now = target, warp.now + machine.secret.back + cost
    return max(each.now for each in running) + 40, spoiled


def _when(
    warp: _Warp, each: SassInstruction, free: dict[tuple[int, str], int], machine: PlantedMachine
) -> int:
    """When a warp may issue an instruction."""
    secret, accident = machine.secret, machine.accident
    pipe = warp.scheduler, secret.pipes.get(each.opcode, each.opcode)
    mask = each.control.waits
    waits = [warp.done.get(b, 0) for b in range(6) if mask >> b & 1] if mask else []
    at = max(warp.now, free.get(pipe, 0), free.get((warp.scheduler, ""), 0), *waits, 0)
    if accident is Accident.LOOP_COST and machine.trips == 1 and warp.executed % 16 == 15:
        at += 12
    if accident is Accident.SATURATED and warp.executed > 20:
        at += 3 * (warp.executed - 20)
    return max(at, _due(warp, each, machine)) if accident is Accident.INTERLOCKED else at


def _due(warp: _Warp, each: SassInstruction, machine: PlantedMachine) -> int:
    """When what the instruction before it makes is there for it."""
    before = warp.before
    read = slot(before, each) if before is not None else None
    if before is None or read is None:
        return 0
    return warp.issued + machine.secret.latencies.get((before.opcode, each.opcode, read), 0)


def _issue(
    warp: _Warp,
    each: SassInstruction,
    at: int,
    free: dict[tuple[int, str], int],
    machine: PlantedMachine,
) -> int:
    """Issue an instruction of a warp, and return whether it read a result too early."""
    secret, control = machine.secret, each.control
    early = int(at < _due(warp, each, machine) and machine.accident is not Accident.DEAF)
    pipe = warp.scheduler, secret.pipes.get(each.opcode, each.opcode)
    free[pipe] = at + secret.intervals.get(each.opcode, 1)
    free[warp.scheduler, ""] = at + 1
    if control.write_barrier != NO_BARRIER:
        own_latency = max(
            (cycles for (first, _, _), cycles in secret.latencies.items() if first == each.opcode),
            default=0,
        )
        warp.done[control.write_barrier] = at + own_latency
    warp.before, warp.issued, warp.now = each, at, at + max(control.stall, 1)
    warp.executed += 1
    return early

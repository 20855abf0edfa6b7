"""A machine with planted timing: what an analysis of timings must recover, or refuse.

It executes nothing. It reads the window of a cubin, issues its instructions by their control words,
and answers with the cycles that a table of secret latencies gives. A consumer that issues too early
spoils the results of its kernel. `Accident` names what published measurements fell for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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

#: SMs of the machine.
MULTIPROCESSORS = 12


#: What nvdisasm said of each program, by a hash that leaves control words out: machines are made by
#: the dozen, for the same programs.
_READ: dict[int, dict[str, list[SassInstruction]]] = {}


class Accident(Enum):
    """How a machine misleads; `NONE` does not."""

    NONE = "none"
    INTERLOCKED = "waits for operands whatever the stall count says"
    MOVING_CLOCK = "counts another number of clock cycles at each launch"
    LOOP_COST = "takes some cycles more every 16 instructions"
    SATURATED = "makes every instruction after the twentieth wait for a full queue"
    DEAF = "gives the right results however early a consumer issues"


@dataclass(frozen=True)
class Secret:
    """What the machine knows and the analysis must find out.

    Attributes:
        latencies: By producer, consumer and operand, the cycles between their issues; else 0.
        intervals: By opcode, the cycles for which an instruction holds its pipe; else 1.
    """

    latencies: Mapping[tuple[str, str, int], int]
    intervals: Mapping[str, int]


class PlantedMachine:
    """A machine of `launch.Machine`'s kind."""

    def __init__(self, secret: Secret, accident: Accident = Accident.NONE, seed: int = 1) -> None:
        """Keep the secret."""
        self.secret, self.accident = secret, accident
        self._draw = random.Random(seed)

    def load(self, cubin: bytes | str) -> PlantedModule:
        """Read the cubin's instructions.

        Cubins that differ in control words alone share what nvdisasm said.
        """
        if isinstance(cubin, str):
            raise UserError("a planted machine reads cubins")
        own = words(cubin)
        program = hash(tuple((name, *map(Control.cleared, each)) for name, each in own.items()))
        if program not in _READ:
            _READ[program] = disassemble(cubin)
        return PlantedModule(self, {
            name: [replace(each, word=own[name][number]) for number, each in enumerate(listed)]
            for name, listed in _READ[program].items()
        })  # fmt: skip

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
        taken, spoiled = self._issue(whole_window(own) if whole else window(own))
        results = inputs[:, :, 0] * np.uint32(2654435761)
        if spoiled:
            results = results ^ np.uint32(spoiled)
        clocks = np.zeros((ctas, warps, ROUNDS, 2), np.uint64)
        clocks[..., 1] = round(taken * self._machine.scale())
        places = np.repeat(np.arange(ctas, dtype=np.uint32) % MULTIPROCESSORS, warps)
        return Outcome(results, clocks, places.reshape(ctas, warps))

    def _issue(self, own: Window) -> tuple[int, int]:
        """The cycles of a window of one warp, and how many consumers issued too early."""
        secret, accident = self._machine.secret, self._machine.accident
        now = spoiled = 0
        done: dict[int, int] = {}
        free: dict[str, int] = {}
        before: SassInstruction | None = None
        issued = 0
        for number, each in enumerate(own.body):
            control = each.control
            waits = [done.get(b, 0) for b in range(6) if control.waits >> b & 1]
            at = max(now, free.get(each.opcode, 0), *waits, 0)
            if accident is Accident.LOOP_COST and number % 16 == 15:
                at += 12
            if accident is Accident.SATURATED and number > 20:
                at += 3 * (number - 20)
            read = slot(before, each) if before is not None else None
            if before is not None and read is not None:
                due = issued + secret.latencies.get((before.opcode, each.opcode, read), 0)
                if accident is Accident.INTERLOCKED:
                    at = max(at, due)
                elif at < due and accident is not Accident.DEAF:
                    spoiled += 1
            free[each.opcode] = at + secret.intervals.get(each.opcode, 1)
            if control.write_barrier != NO_BARRIER:
                own_latency = max(
                    (cycles for (first, _, _), cycles in secret.latencies.items()
                     if first == each.opcode), default=0,
                )  # fmt: skip
                done[control.write_barrier] = at + own_latency
            before, issued, now = each, at, at + max(control.stall, 1)
        return now + 40, spoiled

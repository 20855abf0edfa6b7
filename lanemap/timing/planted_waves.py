"""The machine of `planted` for gfx950: it reads the text of a code object and executes nothing.

A wave issues in order, one instruction in each slot; waves of a SIMD issue beside each other where
their pipes differ. Hardware makes a reader wait for what VALU, SALU and MFMA compute; what
memory gives is there after its latency, and `s_waitcnt` waits for it. A reader that comes earlier
spoils the results of its kernel.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.timing.launch import NO_MORE, ROUNDS, WAVE, More, Outcome, Words
from lanemap.timing.planted import MULTIPROCESSORS, Accident
from lanemap.timing.waves import inside
from lanemap.toolchain.codeobject import read_code_object

#: SIMDs of a compute unit.
SIMDS = 4
#: Cycles of an issue slot.
SLOT = 4
_RANGE = re.compile(r"(?<!\w)([vs])(?:(\d+)|\[(\d+):(\d+)\])")
_LOADS = re.compile(r"ds_read|ds_bpermute|global_load")
_STORES = re.compile(r"ds_write|global_store")
_TRIPS = re.compile(r"s_mov_b32 s28, (\d+)")


@dataclass(frozen=True)
class WaveSecret:
    """The planted facts, which the analysis must find.

    Attributes:
        latencies: By opcode, cycles from issue to its result; else its interval.
        intervals: By opcode, cycles for which it holds its pipe; else SLOT.
        pipes: By opcode, its pipe, of which each SIMD has one; else a pipe of its own.
        back: Cycles that a branch back takes.
    """

    latencies: Mapping[str, int]
    intervals: Mapping[str, int]
    pipes: Mapping[str, str] = field(default_factory=dict)
    back: int = 8


class PlantedWaves:
    """A machine of `launch.Machine`'s kind."""

    def __init__(
        self, secret: WaveSecret, accident: Accident = Accident.NONE, seed: int = 1
    ) -> None:
        """Keep the secret."""
        self.secret, self.accident = secret, accident
        self._draw = random.Random(seed)

    def load(self, cubin: bytes | str) -> PlantedWaveModule:
        """Read the text that a code object carries."""
        text = cubin if isinstance(cubin, str) else read_code_object(cubin).source
        if text is None:
            raise UserError("a planted machine reads code objects that carry their text")
        return PlantedWaveModule(self, text)

    def arguments(self, make: Callable[[Any], Sequence[Any]]) -> Sequence[Any]:
        """None: nothing executes."""
        return ()

    def scale(self) -> float:
        """Clock cycles counted for each cycle of the pipes."""
        return self._draw.uniform(0.7, 1.3) if self.accident is Accident.MOVING_CLOCK else 1.0


class PlantedWaveModule:
    """The kernels of a text."""

    def __init__(self, machine: PlantedWaves, text: str) -> None:
        """Keep both."""
        self._machine, self._text = machine, text

    def launch(self, entry: str, inputs: Words, more: More = NO_MORE) -> Outcome:
        """Answer as a GPU would; see `launch.Loaded`."""
        ctas, threads, _ = inputs.shape
        waves = threads // WAVE
        kernel = self._text.split(f"\n{entry}:\n", 1)[1].split("s_endpgm", 1)[0]
        taken, spoiled = _run(inside(kernel), waves, self._machine)
        results = inputs[:, :, 0] * np.uint32(2654435761)
        if spoiled:
            results = results ^ np.uint32(spoiled)
        clocks = np.zeros((ctas, waves, ROUNDS, 2), np.uint64)
        clocks[..., 1] = round(taken * self._machine.scale())
        places = np.repeat(np.arange(ctas, dtype=np.uint32) % MULTIPROCESSORS, waves)
        return Outcome(results, clocks, places.reshape(ctas, waves))


class _Wave:
    """Where a wave is, and when what it reads is there."""

    def __init__(self, straight: bool) -> None:
        self.straight = straight
        self.place = self.now = self.turns = self.executed = 0
        self.ready: dict[str, int] = {}
        self.loading: dict[str, int] = {}
        self.stored = 0


def _run(text: str, waves: int, machine: PlantedWaves) -> tuple[int, int]:
    """The cycles of a window, and how many readers came too early."""
    lines = [line.partition("//")[0].strip() for line in text.splitlines()]
    lines = [line for line in lines if line]
    at = {line.rstrip(":"): place for place, line in enumerate(lines) if line.endswith(":")}
    found = _TRIPS.search(text)
    trips = int(found[1]) if found else 1
    running = [_Wave(trips == 1) for _ in range(waves)]
    free: dict[tuple[int, str], int] = {}
    spoiled = 0
    while left := [each for each in running if each.place < len(lines)]:
        wave = min(left, key=lambda each: each.now)
        line = lines[wave.place]
        wave.place += 1
        if line.endswith(":"):
            continue
        opcode, _, operands = line.partition(" ")
        spoiled += _issue(
            wave, opcode.removesuffix("_e32"), operands, running.index(wave) % SIMDS, free, machine
        )
        if opcode.startswith("s_cbranch"):
            wave.turns += 1
            if wave.turns < trips:
                cost = 12 * (machine.accident is Accident.LOOP_COST)
                wave.place, wave.now = at[operands.strip()], wave.now + machine.secret.back + cost
    return max(each.now for each in running) + 60, spoiled


def _issue(
    wave: _Wave,
    opcode: str,
    operands: str,
    simd: int,
    free: dict[tuple[int, str], int],
    machine: PlantedWaves,
) -> int:
    """Issue an instruction, and return whether it read a register before its load was there."""
    secret, accident = machine.secret, machine.accident
    written, read = _registers(opcode, operands)
    pipe = simd, secret.pipes.get(opcode, opcode)
    due = [wave.ready.get(each, 0) for each in read]
    at = max(wave.now, free.get(pipe, 0), *due, 0)
    if accident is Accident.LOOP_COST and wave.straight and wave.executed % 16 == 15:
        at += 12
    if accident is Accident.SATURATED and wave.executed > 20:
        at += 3 * (wave.executed - 20)
    if opcode == "s_waitcnt":
        at = max(at, wave.stored, *wave.loading.values(), 0)
        wave.loading.clear()
    pending = max((wave.loading.get(each, 0) for each in read), default=0)
    early = at < pending and accident not in (Accident.DEAF, Accident.INTERLOCKED)
    if accident is Accident.INTERLOCKED:
        at = max(at, pending)
    interval = secret.intervals.get(opcode, SLOT)
    free[pipe] = at + interval
    done = at + secret.latencies.get(opcode, interval)
    if _STORES.match(opcode):
        wave.stored = done
    results = wave.loading if _LOADS.match(opcode) else wave.ready
    results.update(dict.fromkeys(written, done))
    wave.now, wave.executed = at + SLOT, wave.executed + 1
    return int(early)


def _registers(opcode: str, operands: str) -> tuple[list[str], list[str]]:
    """The registers that an instruction writes, and those that it reads."""
    if opcode.startswith(("s_waitcnt", "s_cbranch", "s_nop", "s_barrier")):
        return [], []
    first, _, rest = operands.partition(",")
    if _STORES.match(opcode):
        return [], _named(operands)
    return _named(first), _named(rest)


def _named(operands: str) -> list[str]:
    found = []
    for kind, one, first, last in _RANGE.findall(operands):
        numbers = (int(one), int(one)) if one else (int(first), int(last))
        found += [f"{kind}{number}" for number in range(numbers[0], numbers[1] + 1)]
    return found

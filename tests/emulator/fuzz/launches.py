"""Launch hostile kernels in a process of its own.

`python -m tests.emulator.fuzz.launches sm_90a 4000 1`: target, launches, seed.

Each launch ends in a result, a Hazard or a UserError; anything else ends the process with status 1,
or with the signal that killed it. The last line written to stderr names the launch.
"""

from __future__ import annotations

import collections
import itertools
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.errors import LanemapError
from tests.emulator.fuzz import gfx_kernels, ptx_kernels
from tests.emulator.fuzz.values import Values

SECONDS_OF_A_LAUNCH = 20
INSTRUCTIONS_OF_A_WAVE = 20_000
#: Launches of one kernel, and forms of instructions for each launch of the run.
_LAUNCHES_OF_A_KERNEL = 200
_FUNCTIONS = (0x1000_0000, 64)


class Hang(BaseException):
    """A launch took too long."""


def _too_long(number: int, frame: object) -> NoReturn:
    raise Hang


def _texts(target: str, launches: int, seed: int) -> Iterator[tuple[str, list[str], int]]:
    """Texts, what each value of `which` executes, and bytes of the first parameter."""
    forms = max(16 * launches // _LAUNCHES_OF_A_KERNEL, 16)
    if target == "gfx950":
        for text, lines in gfx_kernels.kernels(seed, forms * 3 // 4, forms // 4):
            yield text, lines, 0
        return
    yield ptx_kernels.CONTROL.format(target=target), ["calls", "calls of different depths"], 64
    for text, statements in ptx_kernels.kernels(target, seed, forms * 3 // 4, forms // 4):
        yield text, statements, 64


class _Kernel:
    """One kernel on a device that raises hazards and on one that reports them."""

    def __init__(self, target: str, text: str) -> None:
        self.devices: list[Any] = []
        self.kernels: list[Any] = []
        self.inputs: list[Any] = []
        for mode in ("raise", "report"):
            device = lanemap.open_device(target, "emulator", mode)  # type: ignore[arg-type]
            device.instruction_limit = INSTRUCTIONS_OF_A_WAVE  # type: ignore[attr-defined]
            self.devices.append(device)
            self.kernels.append(device.load(text)["k"])
            self.inputs.append(device.zeros((ptx_kernels.REGISTERS, 64), np.uint64))

    def launch(self, seed: int, which: int, first_bytes: int) -> str:
        """Launch once; the kind of end."""
        mode = seed % 2
        given = self.inputs[mode]
        values = Values(seed, [(given.address, given.nbytes), _FUNCTIONS])
        table = values.registers(ptx_kernels.REGISTERS, 64)
        if values.random.integers(4):
            table[ptx_kernels.REGISTERS - 1] = (1 << 64) - 1  # EXEC
        given.set(table)
        state = np.uint32(values.random.integers(0, 4) or int(values.random.integers(0, 700)))
        parameters = [given, np.uint32(which), state]
        if first_bytes:
            parameters.insert(0, table[:8, 0].tobytes())
        cluster = 2 if first_bytes and not values.random.integers(3) else 1
        threads = 64 if not values.random.integers(3) else int(values.random.integers(1, 65))
        before = len(self.devices[mode].hazards)
        try:
            self.kernels[mode](2, threads, parameters, 0, cluster)
        except LanemapError as error:
            if "\n" in str(error):
                raise RuntimeError("more than a sentence") from error
            return error.kind if isinstance(error, Hazard) else type(error).__name__
        return "reported" if len(self.devices[mode].hazards) > before else "result"


def main(target: str, launches: int, seed: int) -> int:
    """Launch so often; print how the launches ended."""
    signal.signal(signal.SIGALRM, _too_long)
    ends: collections.Counter[str] = collections.Counter()
    texts = list(_texts(target, launches, seed))
    share = -(-launches // len(texts))
    numbers = itertools.count(seed * 1_000_000)
    for text, statements, first_bytes in texts:
        kernel = _Kernel(target, text)
        for i in range(share):
            number, which = next(numbers), i % len(statements)
            print(f"{target} seed {number}: {statements[which]}", file=sys.stderr, flush=True)
            signal.setitimer(signal.ITIMER_REAL, SECONDS_OF_A_LAUNCH)
            try:
                ends[kernel.launch(number, which, first_bytes)] += 1
            except BaseException:
                traceback.print_exc()
                print(f"{target} seed {number}: {statements[which]}\n{text}", file=sys.stderr)
                return 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    print(f"{sum(ends.values())} launches:", dict(ends.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

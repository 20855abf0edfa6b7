"""Predictions of each launch of a script that `lanemap check` runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lanemap.devices.emulator import EmulatorDevice, EmulatorModule
from lanemap.errors import LanemapError, plural
from lanemap.timing.model.answer import Prediction, predicted, with_interval
from lanemap.timing.model.envelope import outside
from lanemap.timing.model.kinds import Sampler
from lanemap.timing.model.launched import joined
from lanemap.timing.model.recording import TraceRecorder
from lanemap.timing.model.shares import TARGET as TARGET
from lanemap.toolchain import ptxas

#: Lines of the source that are named.
_LINES = 3
#: The file of lines that have no other source.
PTX = "line of PTX"


@contextmanager
def timed(device: EmulatorDevice, module: EmulatorModule, kernel: str) -> Iterator[None]:
    """Let a launch run, all of its CTAs, and say on stderr how long it takes on an H200.

    Of all that run, those are traced that `lanemap time` would run alone.
    """
    text = ptxas.lowered(module.text or "")
    sampler = Sampler(text)
    recorder = TraceRecorder(chosen=sampler)
    with device.observe(recorder):
        yield
    try:
        cubin = ptxas.assemble(text, TARGET, ("-lineinfo",), kernel)
        own = recorder.launches[-1]
        sample = sampler.samples[own.kernel]
        made = joined(own, text, cubin, sample if sample.ctas == 1 else None)
        found = with_interval(predicted(made, changes=False))
        print(_line(found, module, kernel), file=sys.stderr)
    except LanemapError as error:
        print(f"lanemap: {kernel} is not predicted: {error}", file=sys.stderr)


def _line(found: Prediction, module: EmulatorModule, kernel: str) -> str:
    _, middle, _ = found.clock().microseconds(found.active)
    total = sum(found.by_line().values())
    dearest = sorted(by_source(found, module).items(), key=lambda each: -each[1])[:_LINES]
    lines = ", ".join(
        f"{_near(file)}:{line} {cycles / total:.0%}" for (file, line), cycles in dearest
    )
    bound = next(iter(found.bounds()), "nothing")
    lies = found.interval
    between = f" ({lies.least:,} to {lies.most:,})" if lies else ""
    return (
        f"lanemap: {kernel}, {plural(len(found.trace.grid), 'CTA')}: predicted {found.active:,} "
        f"cycles of an H200{between}, {middle:,.2f} us and the launch; {bound} needs most; warps "
        f"spend their time at {lines}; {found.parameters.said()}"
        + "; outside the envelope of the tables"
        * any(outside(found))
    )


def _near(file: str) -> str:
    """A path as from this folder, if it lies there."""
    here = Path.cwd()
    return str(Path(file).relative_to(here)) if Path(file).is_relative_to(here) else file


def by_source(found: Prediction, module: EmulatorModule) -> dict[tuple[str, int], int]:
    """All cycles of all warps by line of the source, in CUDA C++ or Triton, else of the PTX."""
    sums: dict[tuple[str, int], int] = {}
    for line, cycles in found.by_line().items():
        place = next(iter(module.places(line)), (PTX, line))
        sums[place] = sums.get(place, 0) + cycles
    return sums

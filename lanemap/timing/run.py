"""Measures a timing probe on a GPU."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment
from lanemap.records.schema import Record
from lanemap.timing import grids, series
from lanemap.timing.chains import Chains, observe, prepare
from lanemap.timing.clocks import Clocks, source
from lanemap.timing.find import TimingProbe
from lanemap.timing.grid_samples import DeviceGrids, observe_grids
from lanemap.timing.grids import GridProbe
from lanemap.timing.launch import DeviceMachine, inputs
from lanemap.timing.row import grid_record, record, series_record
from lanemap.timing.sampling import Sampled, observe_series
from lanemap.timing.series import SeriesModule, SeriesProbe
from lanemap.timing.text import header
from lanemap.toolchain.ptxas import assemble

SEED = 1


def measure(probe: TimingProbe, target: str, device: str = "auto") -> Record:
    """Measure every chain, series or grid of a probe, and return its row.

    Raises:
        MissingEnvironment: there is no GPU of the target, or ptxas or nvdisasm is not here.
    """
    opened = open_device(target, device=device)
    if opened.evidence != "silicon":
        raise MissingEnvironment(
            f"timing needs a GPU of {target}: the emulator executes these kernels and has no clock"
        )
    before = dict(opened.environment())
    ctas = int(before.get("multiprocessors") or before["compute_units"])
    if isinstance(probe, GridProbe):
        module = grids.prepare(probe, target)
        measured = observe_grids(
            probe.questions, module, launcher := DeviceGrids(opened, module, ctas)
        )
        return grid_record(
            probe.name, target, module, measured, launcher.timers(), opened, ctas, before
        )
    machine = DeviceMachine(opened)
    if isinstance(probe, Chains):
        own = prepare(probe, target)
        found = observe(probe, machine, target, inputs(ctas, seed=SEED), own)
        return record(found, opened, ctas, SEED, before)
    modules = series.prepare(probe, target)
    clocks = None
    if any(own.series.two_clocks for own in modules):
        both = assemble(source(header(target)), target, name="the load of two clocks")
        clocks = Clocks(opened, both, ctas)
    return measure_series(probe.name, modules, opened, ctas, before, clocks)


def measure_series(
    name: str,
    modules: Sequence[SeriesModule],
    opened: Any,
    ctas: int,
    before: Mapping[str, Any],
    clocks: Clocks | None = None,
) -> Record:
    """Measure series on an open device, and return their row.

    Args:
        name: The probe's.
        modules: What `series.prepare` returned of it.
        opened: The device.
        ctas: CTAs of a launch: one for each SM, or fewer.
        before: The device's environment before.
        clocks: What changes the frequency, for series that ask for it.
    """
    target = opened.target
    oracle = DeviceMachine(open_device(target, device="emulator"))
    samples, withheld = launch_series(modules, opened, ctas, oracle, clocks)
    return series_record(name, target, modules, samples, withheld, opened, ctas, SEED, before)


def launch_series(
    modules: Sequence[SeriesModule],
    opened: Any,
    ctas: int,
    oracle: DeviceMachine | None = None,
    clocks: Clocks | None = None,
) -> tuple[list[Sampled], dict[str, str]]:
    """Launch series on an open device; see `sampling.observe_series`."""
    given = functools.cache(lambda threads: inputs(ctas, threads, SEED))
    return observe_series(modules, DeviceMachine(opened), given, oracle, clocks)


def windows(probe: TimingProbe, target: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each question of a probe: its name, why it was assembled to something else, and its window.

    Raises:
        UserError: the assembler refuses the text.
        MissingEnvironment: the assembler or nvdisasm is not here.
    """
    if isinstance(probe, SeriesProbe):
        for own in series.prepare(probe, target):
            shortest = own.windows[min(own.series.lengths)]
            yield own.series.label, own.code.reason, shortest.lines()
        return
    if isinstance(probe, GridProbe):
        whole = grids.prepare(probe, target)
        for kernel, listed in whole.lines.items():
            yield kernel.entry, whole.code[kernel].reason, list(listed)
        return
    for module in prepare(probe, target):
        for entry, window in module.windows.items():
            yield entry, "", window.lines()
        for entry, reason in module.refused.items():
            yield entry, reason, []

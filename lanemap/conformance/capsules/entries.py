"""What a capsule of a target holds: entries, each a piece of work that any device can be given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from lanemap.benching.benchmark import Benchmark
from lanemap.benching.find import all_benchmarks
from lanemap.conformance.capsules import sums
from lanemap.devices.taped import TapedDevice
from lanemap.errors import UserError
from lanemap.probing.probe import Probe, chosen
from lanemap.probing.run import observe
from lanemap.records.schema import Record
from lanemap.timing.find import find_probes
from lanemap.timing.row import name as row_name
from lanemap.timing.run import launch_series, measure_series
from lanemap.timing.series import SeriesModule, SeriesProbe, prepare

#: Seconds of an entry before a player gives it up.
LIMIT_S = 60
#: Rounds of a kernel's times, and launches of a round.
_ROUNDS, _LAUNCHES = 7, 50
#: Axes of a kernel's problem at most, since random operands do not compress.
_LARGEST = {"m": 256, "n": 256, "k": 256, "rows": 256, "queries": 512, "keys": 512}


@dataclass(frozen=True)
class Verdict:
    """What is known of an entry once a GPU has answered.

    Attributes:
        agrees: Whether it confirms what this checkout says.
        sentences: What it confirms or refutes.
        record: The row; None for what makes none.
    """

    agrees: bool
    sentences: Sequence[str]
    record: Record | None = None


@dataclass(frozen=True)
class Entry:
    """One piece of work.

    Attributes:
        name: Its name in a capsule.
        asks: The question, as a sentence.
        work: Does it on a device and judges what came back; the launches are the same on each.
        again: Whether a second run must bring the same bytes.
        limit_s: Seconds before a player gives up.
        hazards: What the emulator does with hazards when it answers in place of a GPU.
        launches: Does the work without judging it; None where only `work` can.
    """

    name: str
    asks: str
    work: Callable[[Any], Verdict]
    again: bool = True
    limit_s: int = LIMIT_S
    hazards: str = "raise"
    launches: Callable[[Any], Any] | None = None

    def launch(self, device: Any) -> None:
        """Do the work without judging it."""
        (self.launches or self.work)(device)


def entries(target: str, names: Sequence[str] = ()) -> list[Entry]:
    """Return the entries of a target, or those that are named.

    Raises:
        UserError: there is no entry of a name, or the target has none.
    """
    held = (*_probes(target), *_kernels(target), *_sums(target), *_timings(target))
    found = {each.name: each for each in held}
    unknown = [name for name in names if name not in found]
    if unknown:
        raise UserError(
            f"a capsule of {target} has no entry {unknown[0]!r}; it has {', '.join(found)}"
        )
    return [found[name] for name in names] if names else list(found.values())


def _probes(target: str) -> Iterator[Entry]:
    for probe in chosen((), target):
        yield Entry(
            probe.name,
            probe.question,
            partial(_observed, probe),
            again=probe.name not in _TIMED,
            hazards=probe.hazards,
            launches=probe.readings,
        )


#: Probes whose readings are times.
_TIMED = frozenset(("smem_banks", "lds_banks"))


def _observed(probe: Probe, device: Any) -> Verdict:
    report = observe(probe, device)
    said = []
    for part in report.parts:
        if not part.agrees:
            said.append(f"{part.variant}: the model is refuted, or what was read not explained")
        said += [
            f"{part.variant}: {line}" for line in part.rule_lines("silicon") if "refuted" in line
        ]
    if report.agrees:
        said.insert(0, f"{len(report.parts)} variants are as the model says")
    return Verdict(report.agrees, said, report.record)


def _kernels(target: str) -> Iterator[Entry]:
    for benchmark in all_benchmarks(target):
        yield Entry(
            f"kernel_{benchmark.kernel}",
            f"Is the result of {benchmark.kernel} right, and how long does a launch take?",
            partial(_computed, benchmark),
            again=False,
        )


def _computed(benchmark: Benchmark, device: Any) -> Verdict:
    """Check a kernel's results against float64, and time its launches."""
    problem = benchmark.default
    sizes = {axis: most for axis, most in _LARGEST.items() if getattr(problem, axis, 0) > most}
    if getattr(problem, "lengths", ""):  # they are of so many keys
        sizes.pop("keys", None)
    case = benchmark.case(device, replace(problem, **sizes))
    said, right = [], True
    for inputs in case.inputs:
        case.fill(inputs)
        case.run()
        check = case.check(inputs)
        right &= not check.outside
        said.append(
            f"{inputs}: {check.outside} of {check.elements} results are outside the tolerance, of "
            f"which errors use {check.used:.3g} at most"
        )
    launch: Any = case.apart()
    if isinstance(device, TapedDevice) and isinstance(launch, dict):
        times = device.time(launch, _ROUNDS, _LAUNCHES)
        said.append(f"{min(times):.2f} to {max(times):.2f} us a launch, one after another")
    return Verdict(right, said)


def _sums(target: str) -> Iterator[Entry]:
    for family in sums.FAMILIES.values():
        if target in family.targets:
            yield Entry(
                family.name,
                f"How does {family.instruction} add, bit for bit?",
                partial(_summed, family, target),
                launches=partial(_summands, family, target),
            )


def _summed(family: sums.Family, target: str, device: Any) -> Verdict:
    return Verdict(*sums.compared(family, target, device))


def _summands(family: sums.Family, target: str, device: Any) -> None:
    for _ in sums.results(family, target, device):
        pass


#: Timing probes in capsules: what no other target has, as far as its launches depend on no answer.
#: Of sm_90a, whose cycles are known, one stands for all, so that capsules can be tried.
_TIMINGS = {
    "sm_90a": ("mma_fp8",),
    "sm_100a": ("tcgen05",),
    "gfx950": ("gfx950_mfma", "gfx950_memory"),
}
#: CTAs of a timed launch: each on an SM of its own, few, so that a result stays small.
_TIMED_CTAS = 8


def _timings(target: str) -> Iterator[Entry]:
    for name in _TIMINGS.get(target, ()):
        yield Entry(
            row_name(name),
            f"How many cycles take the series of {name}?",
            partial(_measured, name, target),
            again=False,
            limit_s=2 * LIMIT_S,
            launches=partial(_launched, name, target),
        )


@cache
def _modules(name: str, target: str) -> list[SeriesModule]:
    probe = find_probes()[name]
    assert isinstance(probe, SeriesProbe)
    return prepare(probe, target)


def _launched(name: str, target: str, device: Any) -> None:
    """Launch series; nothing is withheld for what was measured, which is nothing yet."""
    launch_series(_modules(name, target), device, _TIMED_CTAS)


def _measured(name: str, target: str, device: Any) -> Verdict:
    """Measure series; the emulator says which results are right."""
    modules = _modules(name, target)
    row = measure_series(name, modules, device, _TIMED_CTAS, device.environment())
    figures = row.findings["figures"]
    explained = sum(each["explained"] for each in figures)
    said = [f"{explained} of {len(figures)} figures are explained"]
    wrong = [each for each in row.findings["series"] if each.get("wrong")]
    said += [f"{each['name']}: {each['wrong']}" for each in wrong]
    return Verdict(not wrong, said, row)

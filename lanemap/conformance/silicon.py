"""Every observation that an sm_90 GPU can make: `make silicon`.

It runs every probe of the target, and the programs that compare the emulator with the GPU. It
writes rows with evidence `silicon` and their environment to results/sm_90a/cuda/. Where a row is
there already, it says whether the GPU gave the same results again. A part that is done with this
code on such a GPU is not run again, so a run that was stopped is continued by the same command.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import lanemap
from lanemap.conformance import approximations, kernel_attentions, kernel_products
from lanemap.conformance.agreement import agree
from lanemap.conformance.earlier_targets import trial as earlier_targets
from lanemap.conformance.faults import trial as faults
from lanemap.conformance.ledger import Ledger, code_and_gpu
from lanemap.conformance.museum import trial as museum
from lanemap.conformance.programs import trial
from lanemap.conformance.programs.copies import trial as copies
from lanemap.conformance.programs.mbarriers import trial as mbarriers
from lanemap.conformance.programs.pipelines import trial as pipelines
from lanemap.conformance.tensor_cores import trial as tensor_cores
from lanemap.conformance.tensor_maps import trial as tensor_maps
from lanemap.devices import Device
from lanemap.devices.processes import OtherProcess
from lanemap.errors import LanemapError
from lanemap.probing.probe import Probe, chosen, find_probe
from lanemap.probing.run import observe
from lanemap.records.files import (
    read_record,
    record_path,
    row_text,
    write_files,
    write_records,
)
from lanemap.records.schema import Record
from lanemap.timing import row as timing_row
from lanemap.timing.agreement import again, differing
from lanemap.timing.find import TimingProbe
from lanemap.timing.find import find_probes as find_timings
from lanemap.timing.run import measure

TARGET = "sm_90a"
#: Where a row goes that is not what the stored row says, below the folder of the rows.
DIFFERING = "differing"
#: The exit status if parts are left to run.
LEFT = 4
#: Seconds that a part is given if it has not run before.
_UNKNOWN = 60.0
_SLACK = 3.0
#: How many figures of a group of timing that differ are named.
_SHOWN = 10

Found: TypeAlias = tuple[Mapping[str, Any], int]


@dataclass(frozen=True)
class Options:
    """Options of the command line for parts.

    Attributes:
        out: Folder of the rows.
        keep: Where texts and outputs of programs go; none if None.
        series: Further series of programs.
        assemblers: Further ptxas for `compiler_faults`.
        cubins: What other ptxas made of its programs (`python -m tools.compilers cubins`).
    """

    out: Path
    keep: Path | None = None
    series: int = 4
    assemblers: Sequence[str] = ()
    cubins: Path | None = None


def _approximations(device: Device) -> Found:
    """Sweep the approximate forms. Nothing can disagree here; tests check the bounds."""
    found = {}
    for form in approximations.forms():
        start = time.monotonic()
        found[form] = approximations.observe(device, form)
        print(
            f"{form}: at most {found[form]['largest_distance']} values off "
            f"({time.monotonic() - start:.1f} s)",
            flush=True,
        )
    return found, 0


def _tensor_cores() -> Found:
    """Fit and compare the sums of matrix instructions; return how many kinds disagree."""
    findings = tensor_cores.observe()
    wrong = tensor_cores.disagreements(findings)
    dots = sum(each["dots"] for each in findings["kinds"])
    print(
        f"{len(findings['kinds'])} kinds of matrix instructions, {dots} dot products: {wrong} "
        f"kinds disagree with their rule",
        flush=True,
    )
    return findings, wrong


def _compiler_faults(given: Options) -> Found:
    """Run the programs of faults by the ptxas that is here, those given, and those of `cubins`."""
    here: list[faults.Assembler] = [faults.Installed(each) for each in (None, *given.assemblers)]
    made = faults.stored(given.cubins) if given.cubins else []
    names = {each.name for each in here}
    return faults.observe([*here, *(each for each in made if each.name not in names)])


#: The parts beside the probes, each by the name and kind of its row. Each returns its findings, and
#: how many forms, programs or kinds disagree. Tests compare our encoder with the row `tensor_maps`.
OBSERVATIONS: Mapping[str, Callable[[Device, Options], Found]] = {
    "programs": lambda device, given: trial.observe(given.keep, given.series),
    "mbarriers": lambda device, given: mbarriers.observe(given.keep),
    "copies": lambda device, given: copies.observe(given.keep),
    "pipelines": lambda device, given: pipelines.observe(device),
    "earlier_targets": lambda device, given: earlier_targets.observe(device, given.keep),
    "compiler_faults": lambda device, given: _compiler_faults(given),
    "approximations": lambda device, given: _approximations(device),
    "tensor_maps": lambda device, given: (
        tensor_maps.observe(cast(tensor_maps.Encoder, device)), 0),
    "tensor_cores": lambda device, given: _tensor_cores(),
    "museum": lambda device, given: museum.observe(),
    kernel_products.NAME: lambda device, given: kernel_products.observe(device),
    kernel_attentions.NAME: lambda device, given: kernel_attentions.observe(device),
}  # fmt: skip


@cache
def _timings() -> Mapping[str, TimingProbe]:
    """The timing probes by the names of their rows."""
    return {
        timing_row.name(group): each
        for group, each in find_timings().items()
        if TARGET in each.targets
    }


@cache
def _device() -> Device:
    return lanemap.open_device(TARGET, device="cuda")


def _environment() -> Mapping[str, Any]:
    return _device().environment()


def run_part(name: str, given: Options) -> tuple[Record, int]:
    """Run a part on the GPU; return its row, and how many ways it disagrees."""
    if name in _timings():
        return measure(_timings()[name], TARGET, "cuda"), 0
    device = _device()
    if name not in OBSERVATIONS:
        return probed(find_probe(name).on(TARGET), device, given.out)
    before = dict(device.environment())
    findings, unequal = OBSERVATIONS[name](device, given)
    environment = {"before": before, "after": dict(device.environment())}
    # Each of these rows is the only one of its kind, which bears its name.
    row = Record(name, TARGET, "cuda", "silicon", (), findings, environment=environment, kind=name)
    return row, unequal


def probed(probe: Probe, device: Device, out: Path) -> tuple[Record, int]:
    """Run a probe on the GPU; return its row, and whether model and emulator disagree with it."""
    report = observe(probe, device)
    unequal = int(not report.agrees)
    if unequal:
        print(f"probe {probe.name} disagrees with the model, or cannot explain what it saw")
    own = record_path(report.record, out)
    path = own.parent.with_name("emulator") / own.name
    if path.exists() and not agree(read_record(path), report.record):
        print(f"{path} disagrees with the GPU", flush=True)
        unequal += 1
    return report.record, unequal


def keep_row(row: Record, out: Path) -> int:
    """Write a row, or compare it with the stored one; return 1 if the stored one differs.

    A stored row of timings says afterwards what this run found, and on which GPU.
    """
    path = record_path(row, out)
    if not path.exists():
        write_records([row], out)
        print(f"wrote {path}", flush=True)
        return 0
    stored = read_record(path)
    if row.kind == "timing":
        write_files({path: row_text(_with_run(stored, row))})
    if agree(stored, row):
        print(f"{path}: the GPU gave the same results", flush=True)
        return 0
    other = record_path(row, out / DIFFERING)
    other.unlink(missing_ok=True)
    write_records([row], out / DIFFERING)
    print(f"{path} disagrees with {other}, which this run wrote", flush=True)
    if row.kind == "timing":
        found = differing(stored, row)
        for sentence in found[:_SHOWN]:
            print(f"  {sentence}", flush=True)
        if len(found) > _SHOWN:
            print(f"  and {len(found) - _SHOWN} more", flush=True)
    return 1


def _with_run(stored: Record, row: Record) -> Record:
    """A row of timings with another run of the same group."""
    runs = [each for each in stored.findings.get("again", []) if each["time"] != _time(row)]
    return replace(stored, findings={**stored.findings, "again": [*runs, again(stored, row)]})


def _time(row: Record) -> str:
    return str((row.environment or {})["before"]["host"]["time"])


@dataclass
class Tally:
    """The outcome of the parts.

    Attributes:
        agreeing: Names of those that are done and agree.
        disagreeing: Those that are done, and how many ways each disagrees.
        left: Those that are not done, and why.
    """

    agreeing: list[str] = field(default_factory=list)
    disagreeing: dict[str, int] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, unequal: int) -> None:
        """Count a part that is done."""
        if unequal:
            self.disagreeing[name] = unequal
        else:
            self.agreeing.append(name)

    def sentence(self) -> str:
        """Say what is done, what disagrees and what is left."""
        text = f"{len(self.agreeing) + len(self.disagreeing)} parts are done, "
        text += f"{len(self.disagreeing)} of them disagree"
        if self.disagreeing:
            text += f" ({', '.join(self.disagreeing)}); --only NAME runs one again"
        if not self.left:
            return text + "; nothing is left"
        left = ", ".join(f"{name} ({why})" for name, why in self.left.items())
        return text + f"; left, so run the command again: {left}"

    @property
    def status(self) -> int:
        """The exit status: 1 if something disagrees, LEFT if something is left, else 0."""
        return 1 if self.disagreeing else LEFT if self.left else 0


def expected_seconds(path: Path) -> float:
    """Return what a part may take, by the clock of its stored row."""
    try:
        environment = read_record(path).environment or {}
        first, last = (environment[when]["host"]["time"] for when in ("before", "after"))
    except (LanemapError, KeyError):
        return _UNKNOWN
    taken = datetime.fromisoformat(last) - datetime.fromisoformat(first)
    return _UNKNOWN / 2 + _SLACK * taken.total_seconds()


def observe_parts(
    names: Sequence[str],
    run: Callable[[str], tuple[Record, int]],
    out: Path,
    ledger: Ledger,
    seconds: float | None = None,
    again: bool = False,
) -> Tally:
    """Run the parts that are not done; write and compare their rows.

    Args:
        names: Names of the parts.
        run: Runs a part; see `run_part`.
        out: Folder of the rows.
        ledger: The parts that are done.
        seconds: Start no part that may end later than this; the first one in any case.
        again: Run parts that are done too.
    """
    tally, began, ran = Tally(), time.monotonic(), 0
    for name in names:
        path = out / TARGET / "cuda" / f"{name}.json"
        done = None if again else ledger.done(name, path)
        if done is not None:
            print(f"{name}: done before", flush=True)
            tally.add(name, done.unequal)
            continue
        start = time.monotonic()
        if seconds and ran and start - began + expected_seconds(path) > seconds:
            tally.left[name] = "no time"
            continue
        ran += 1
        try:
            row, unequal = run(name)
            unequal += keep_row(row, out)
        except LanemapError as error:
            print(f"{name}: {error}", flush=True)
            tally.left[name] = "failed"
            continue
        taken = time.monotonic() - start
        print(f"{name}: {taken:.1f} s", flush=True)
        ledger.add(name, path, unequal, taken)
        tally.add(name, unequal)
    return tally


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"), help="where rows go")
    probes = [each.name for each in chosen((), TARGET)]
    parser.add_argument(
        "--only",
        choices=("probes", "timing", *OBSERVATIONS, *_timings(), *probes),
        help="run this part, or all probes, or all timings, even if it is done",
    )
    parser.add_argument("--minutes", type=float, help="start no part that may end later than this")
    parser.add_argument("--keep", type=Path, help="leave texts and outputs of the programs here")
    parser.add_argument("--series", type=int, default=4, help="further series of programs")
    parser.add_argument(
        "--ptxas", action="append", default=[], help="a further ptxas for compiler_faults"
    )
    parser.add_argument(
        "--cubins", type=Path, help="cubins of compiler_faults that other ptxas made"
    )
    return parser


def main() -> int:
    """Run as a program; the exit status of the command line."""
    given = _arguments().parse_args()
    options = Options(given.out, given.keep, given.series, given.ptxas, given.cubins)
    probes = [each.name for each in chosen((), TARGET)]
    groups = {"probes": probes, "timing": list(_timings())}
    everything = [*probes, *OBSERVATIONS, *_timings()]
    names = groups.get(given.only, [given.only]) if given.only else everything
    other = OtherProcess()
    try:
        belongs = code_and_gpu(other.call(_environment))
        ledger = Ledger(given.out / TARGET / "cuda", belongs)
        tally = observe_parts(
            names,
            lambda name: other.call(run_part, name, options),
            given.out,
            ledger,
            given.minutes and 60 * given.minutes,
            again=given.only is not None,
        )
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    finally:
        other.close()
    print(tally.sentence(), flush=True)
    return tally.status


if __name__ == "__main__":
    sys.exit(main())

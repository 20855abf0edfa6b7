"""Every observation that an sm_90 GPU can make: `make silicon`.

It runs every probe of the target, and the programs that compare the emulator with the GPU. It
writes rows with evidence `silicon` and their environment to results/sm_90a/cuda/. Where a row is
there already, it says whether the GPU gave the same results again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import lanemap
from lanemap.conformance import approximations, kernel_attentions, kernel_products
from lanemap.conformance.faults import trial as faults
from lanemap.conformance.programs import crew, trial
from lanemap.conformance.programs.copies import trial as copies
from lanemap.conformance.programs.mbarriers import trial as mbarriers
from lanemap.conformance.programs.pipelines import trial as pipelines
from lanemap.conformance.programs.reduction import Disagreement
from lanemap.conformance.tensor_cores import trial as tensor_cores
from lanemap.conformance.tensor_maps import trial as tensor_maps
from lanemap.devices import Device
from lanemap.errors import LanemapError
from lanemap.probing.probe import Probe, chosen
from lanemap.probing.run import ProbeReport, observe
from lanemap.records.files import read_record, record_path, write_records
from lanemap.records.schema import Record

TARGET = "sm_90a"


def _approximations(device: Device) -> tuple[Mapping[str, Any], int]:
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


def _tensor_maps(device: Device) -> tuple[Mapping[str, Any], int]:
    """Ask the driver for tensor maps. Tests compare our encoder with the row."""
    return tensor_maps.observe(cast(tensor_maps.Encoder, device)), 0


def _tensor_cores() -> tuple[Mapping[str, Any], int]:
    """Fit and compare the sums of matrix instructions; return how many kinds disagree."""
    start = time.monotonic()
    findings = tensor_cores.observe()
    wrong = tensor_cores.disagreements(findings)
    dots = sum(each["dots"] for each in findings["kinds"])
    print(
        f"{len(findings['kinds'])} kinds of matrix instructions, {dots} dot products: {wrong} "
        f"kinds disagree with their rule ({time.monotonic() - start:.1f} s)",
        flush=True,
    )
    return findings, wrong


def _series(
    gpu: crew.Gpu, keep: Path | None, number: int
) -> tuple[list[trial.Outcome], list[Disagreement]]:
    """Run one series of programs on both devices and print a summary."""
    start = time.monotonic()
    outcomes = trial.run(gpu, keep, number)
    seconds = time.monotonic() - start
    print(f"series {number}, {len(outcomes)} programs on both: {seconds:.1f} s", flush=True)
    print(trial.summary(outcomes), flush=True)
    disagreements = trial.minimised(outcomes, gpu)
    for item in disagreements:
        print(item.sentence(), flush=True)
    return outcomes, disagreements


def _programs(keep: Path | None, further: int) -> tuple[Mapping[str, Any], int]:
    """Run all programs on both devices; return the findings and how many forms disagree."""
    gpu = crew.Gpu()
    try:
        outcomes, disagreements = _series(gpu, keep, 0)
        briefs = []
        for number in range(1, further + 1):
            others, more = _series(gpu, None, number)
            briefs.append(trial.brief(others))
            disagreements += more
        stops, unequal = trial.stops(gpu)
    finally:
        gpu.close()
    for form, words in stops.items():
        print(f"{form}: emulator {words[0] or 'goes on'!r}, silicon {words[1] or 'goes on'!r}")
    findings = trial.findings(outcomes, disagreements, stops, briefs)
    return findings, len(disagreements) + unequal


def _essence(row: Record) -> Any:
    """Return what a second run on such a GPU must reproduce.

    Of programs, tensor cores and kernels that is all but what the compiler made; of kernels not the
    tile either, which gets more attributes. Of a probe it is its maps and findings, but not what it
    timed.
    """
    findings = row.findings
    if "question" in findings:
        maps = [(each.variant, each.map, each.to_json()["cells"]) for each in row.observations]
        return maps, _lasting({k: v for k, v in findings.items() if k != "command"})
    if "faults" in findings:
        return faults.outcomes(findings)
    if row.kind == "tensor_cores":
        made = ("cubin", "sass")
        return [{k: v for k, v in each.items() if k not in made} for each in findings["kinds"]]
    for kernels in (kernel_products, kernel_attentions):
        if row.kind == kernels.NAME:
            found = findings[kernels.KIND]
            return [{k: v for k, v in each.items() if k not in ("ptx", "tile")} for each in found]
    if "programs" not in findings:
        return findings
    keys = ("name", "ptx", "inputs", "output", "slots")
    return [[item[key] for key in keys] for item in findings["programs"]]


def _lasting(value: Any) -> Any:
    """Findings without what was measured, which differs from run to run."""
    if isinstance(value, Mapping):
        return {k: _lasting(each) for k, each in value.items() if k != "measured"}
    return value


def agree(stored: Record, seen: Record) -> bool:
    """Whether two runs of one observation found the same.

    Faults are compared for the compilers that both runs had; there must be one.
    """
    first, second = _essence(stored), _essence(seen)
    if "faults" in seen.findings:
        common = first.keys() & second.keys()
        return bool(common) and all(first[key] == second[key] for key in common)
    return bool(first == second)


def _keep(row: Record, out: Path) -> int:
    """Write a row, or compare it with the stored one; return 1 if the stored one differs."""
    path = record_path(row, out)
    if not path.exists():
        write_records([row], out)
        print(path, flush=True)
        return 0
    if agree(read_record(path), row):
        print(f"{path}: the GPU gave the same results", flush=True)
        return 0
    print(
        f"{path} says otherwise, and what silicon showed is never overwritten; move it away, or "
        "choose another --out, to keep what this run found",
        flush=True,
    )
    return 1


def _probe(probe: Probe, device: Device, out: Path) -> int:
    """Run a probe on the GPU; return how many ways it disagrees: model, emulator, stored row."""
    start = time.monotonic()
    try:
        report = observe(probe, device)
    except LanemapError as error:
        print(f"probe {probe.name}: {error}", flush=True)
        return 1
    print(f"probe {probe.name}: {time.monotonic() - start:.1f} s", flush=True)
    unequal = int(not report.agrees)
    if unequal:
        print(f"probe {probe.name} disagrees with the model, or cannot explain what it saw")
    return unequal + _differs_from_emulator(report, out) + _keep(report.record, out)


def _differs_from_emulator(report: ProbeReport, out: Path) -> int:
    """Return 1 if the emulator's row of the same probe, where there is one, says otherwise."""
    own = record_path(report.record, out)
    path = own.parent.with_name("emulator") / own.name
    if not path.exists() or agree(read_record(path), report.record):
        return 0
    print(f"{path} says otherwise than the GPU", flush=True)
    return 1


def observe_all(
    out: Path, only: str | None, keep: Path | None, further: int, assemblers: Sequence[str]
) -> int:
    """Run every observation and write its row; return how many forms and rows disagree."""
    device = lanemap.open_device(TARGET, device="cuda")
    disagreeing = 0
    for probe in chosen((), TARGET):
        if only in (None, "probes", probe.name):
            disagreeing += _probe(probe, device, out)
    observations: dict[str, Callable[[], tuple[Mapping[str, Any], int]]] = {
        "programs": lambda: _programs(keep, further),
        "mbarriers": lambda: mbarriers.observe(keep),
        "copies": lambda: copies.observe(keep),
        "pipelines": lambda: pipelines.observe(device),
        "compiler_faults": lambda: faults.observe([None, *assemblers]),
        "approximations": lambda: _approximations(device),
        "tensor_maps": lambda: _tensor_maps(device),
        "tensor_cores": _tensor_cores,
        kernel_products.NAME: lambda: kernel_products.observe(device),
        kernel_attentions.NAME: lambda: kernel_attentions.observe(device),
    }
    for name, run in observations.items():
        if only not in (None, name):
            continue
        before = dict(device.environment())
        findings, unequal = run()
        environment = {"before": before, "after": dict(device.environment())}
        # Each of these rows is the only one of its kind, which bears its name.
        row = Record(
            name, TARGET, "cuda", "silicon", (), findings, environment=environment, kind=name
        )
        disagreeing += unequal + _keep(row, out)
    return disagreeing


def main() -> int:
    """Run as a program; the exit status of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"), help="where rows go")
    names = ("programs", "mbarriers", "copies", "pipelines", "compiler_faults", "approximations",
             "tensor_maps", "tensor_cores", kernel_products.NAME, kernel_attentions.NAME,
             "probes")  # fmt: skip
    probes = tuple(each.name for each in chosen((), TARGET))
    parser.add_argument("--only", choices=(*names, *probes), help="this row, or all probes")
    parser.add_argument("--keep", type=Path, help="leave texts and outputs of the programs here")
    parser.add_argument("--series", type=int, default=4, help="further series of programs")
    parser.add_argument(
        "--ptxas", action="append", default=[], help="a further ptxas for compiler_faults"
    )
    given = parser.parse_args()
    try:
        unequal = observe_all(given.out, given.only, given.keep, given.series, given.ptxas)
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 1 if unequal else 0


if __name__ == "__main__":
    sys.exit(main())

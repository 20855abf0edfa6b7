"""What the emulator reports of each faulty kernel: of the museum, and of examples of hazards.

    python -m lanemap.conformance.museum.reports [--out results]

It needs NVRTC for CUDA C++ and zig for HIP. The pages of the site show these rows, and tests hold
them to what the emulator reports now.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.conformance.museum.exhibit import WRONG_RESULT, Exhibit, exhibits
from lanemap.devices import open_device
from lanemap.errors import Disagreement
from lanemap.records.files import write_records
from lanemap.records.schema import Record

PROBE = "museum_reports"
#: Instructions after which an example does not end.
LIMIT = 100_000
#: How a report names an array, by the line that made it.
_MADE = re.compile(r"array made at \S+:\d+")


def lines(one: Exhibit, hazard: Any) -> list[int]:
    """The lines of the exhibit's marked file that a hazard names."""
    if one.marked_file.suffix in (".ptx", ".s"):
        other = hazard.facts.other
        return sorted({hazard.line} | ({other.line} if other else set()))
    name = one.marked_file.name
    other = hazard.facts.other.places if hazard.facts.other else ()
    return sorted({line for file, line in (*hazard.facts.places, *other) if file.endswith(name)})


def report(one: Exhibit, hazards: Sequence[Any]) -> dict[str, Any]:
    """The report of a faulty kernel that its exhibit expects, out of its hazards.

    Raises:
        Disagreement: None of them is.
    """
    if one.kind == WRONG_RESULT:
        return {"kind": one.kind, "sentence": "no rule is broken", "lines": sorted(one.marked())}
    for each in hazards:
        if each.kind == one.kind and one.says in str(each):
            return {"kind": each.kind, "sentence": each.sentence, "lines": lines(one, each)}
    raise Disagreement(f"{one.name}: nothing of kind {one.kind} was reported")


def hazards_of(one: Exhibit) -> list[Any]:
    """The hazards of the faulty kernel on the emulator."""
    device = open_device(one.target, "emulator", hazards="report", strict=one.strict)
    module = one.module(device, True)
    try:
        one.launch(device, module)
    except Disagreement as ended:
        return [*device.hazards, ended]
    return [*device.hazards]


def examples() -> Mapping[str, tuple[Path, Path]]:
    """By kind of hazard, the fixed and the faulty text of an example."""
    folder = paths.find("analysis") / "hazards"
    faulty = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.faulty.ptx"))}
    return {kind: (folder / f"{kind}.ptx", path) for kind, path in faulty.items()}


def run_example(path: Path) -> list[Any]:
    """The hazards of an example: 32 threads with a pointer to 32 words."""
    device = open_device("sm_90a", "emulator", hazards="report")
    device.instruction_limit = LIMIT
    out = device.zeros(32, np.uint32)
    try:
        device.load(path)["store"](1, 32, (out,))
        out.get()
    except Disagreement as ended:
        return [*device.hazards, ended]
    return [*device.hazards]


def example_report(kind: str, faulty: Path) -> dict[str, Any]:
    """The report of an example, without the line that made its array."""
    first = next(each for each in run_example(faulty) if each.kind == kind)
    sentence = _MADE.sub("the array", first.sentence)
    return {"kind": kind, "sentence": sentence, "lines": [first.line]}


def observe() -> list[Record]:
    """The rows: one for each target that exhibits run on."""
    found: dict[str, dict[str, Any]] = {}
    for name, one in exhibits().items():
        found.setdefault(one.target, {})[name] = report(one, hazards_of(one))
    shown = {}
    for kind, (_, faulty) in examples().items():
        shown[kind] = example_report(kind, faulty)
    rows = []
    for target, reports in sorted(found.items()):
        told = {"reports": reports, "examples": shown if target == "sm_90a" else {}}
        rows.append(Record(PROBE, target, "emulator", "emulator", findings=told, kind="museum"))
    return rows


def main() -> None:
    """Write the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("results"))
    for path in write_records(observe(), parser.parse_args().out):
        print(path)


if __name__ == "__main__":
    main()

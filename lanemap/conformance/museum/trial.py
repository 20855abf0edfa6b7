"""Runs the exhibits, fixed and faulty, on a GPU, and under compute-sanitizer.

Each kernel is launched many times in a process of its own, since a kernel that hangs or faults ends
the use of the GPU by its process.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.museum.exhibit import Exhibit, exhibits
from lanemap.devices import Device
from lanemap.errors import MissingEnvironment

TARGET = "sm_90a"
VERSIONS = ("fixed", "faulty")
LAUNCHES = 500
#: Seconds after which a process that launches is taken to hang; most need five.
LIMIT = 60.0
#: And one that launches once, under a tool.
_TOOL_LIMIT = 40.0
#: Processes at once: they disturb each other, as those of a busy GPU do.
_AT_ONCE = 12
#: Tools of compute-sanitizer, and how their last line counts what they found.
TOOLS: Mapping[str, str] = {
    "memcheck": r"ERROR SUMMARY: (\d+) error",
    "racecheck": r"RACECHECK SUMMARY: (\d+) hazard",
    "synccheck": r"ERROR SUMMARY: (\d+) error",
}
HUNG = "hung"


#: How a process says what it saw: the version, how many launches were wrong, the fewest and the
#: most elements that one of these had wrong, and how many elements there are.
_SAID = re.compile(r"^(\w+): (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)
_SCRIPT_SAID = re.compile(r"^\d+ of \d+ wrong$", re.MULTILINE)


def wrong(device: Device, exhibit: Exhibit, version: str, count: int) -> tuple[int, int, int, int]:
    """Launch a kernel so many times; return what `_SAID` says of the launches."""
    module = exhibit.module(device, version == "faulty")
    each, elements = [], 0
    for _ in range(count):
        pairs = exhibit.launch(device, module)
        elements = sum(right.size for _, right in pairs)
        each.append(sum(int(np.count_nonzero(got != right)) for got, right in pairs))
    bad = [number for number in each if number] or [0]
    return sum(number > 0 for number in each), min(bad), max(bad), elements


def _command(exhibit: Exhibit, versions: Sequence[str], count: int) -> list[str]:
    return [sys.executable, "-m", __name__, exhibit.name, *versions, "--launches", str(count)]


def in_process(exhibit: Exhibit, count: int = LAUNCHES) -> dict[str, Any]:
    """Launch both versions of a kernel: how many launches were wrong, or how the process ended.

    Of a faulty one that was wrong, `elements` says how many elements of a launch were.
    """
    command = _command(exhibit, VERSIONS, count)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        said, end = done.stdout, (done.stderr.strip().splitlines() or [f"{done.returncode}"])[-1]
    except subprocess.TimeoutExpired as late:
        said, end = (late.stdout or b"").decode(), HUNG
    counts = {version: [int(each) for each in rest] for version, *rest in _SAID.findall(said)}
    found: dict[str, Any] = {version: launches for version, (launches, *_) in counts.items()}
    left = VERSIONS[len(found) :]
    if left:
        return found | {left[0]: end[:200]} | dict.fromkeys(left[1:], "not run")
    launches, fewest, most, elements = counts["faulty"]
    if launches:
        found["elements"] = {"fewest": fewest, "most": most, "of": elements}
    return found


def by_own_compiler(exhibit: Exhibit) -> dict[str, str] | None:
    """Return the faults that a Triton script finds, compiled by the installed Triton.

    None if there is none, or if the script is of another language or has one version only.
    """
    try:
        compiler = installed("triton")
    except PackageNotFoundError:
        return None
    if not exhibit.has_versions:
        return None
    found = {"triton": compiler}
    for each in VERSIONS:
        command = [sys.executable, str(exhibit.source), each]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            found[each] = HUNG
            continue
        said = _SCRIPT_SAID.findall(done.stdout)
        end = (done.stderr.strip().splitlines() or [f"{done.returncode}"])[-1]
        found[each] = said[-1] if said else end[:200]
    return found


def sanitizer() -> str | None:
    """The path of compute-sanitizer; None if there is none."""
    usual = Path("/usr/local/cuda/bin/compute-sanitizer")
    return shutil.which("compute-sanitizer") or (str(usual) if usual.is_file() else None)


def sanitized(tool: str, exhibit: Exhibit, version: str) -> int | str:
    """How much a tool of compute-sanitizer reports of one launch, or how it ended.

    Raises:
        MissingEnvironment: there is no compute-sanitizer.
    """
    program = sanitizer()
    if program is None:
        raise MissingEnvironment("there is no compute-sanitizer; install the CUDA toolkit")
    # CuPy asks the driver for functions that it lacks, which would count as errors.
    command = [program, "--tool", tool, "--report-api-errors", "no"]
    command += _command(exhibit, [version], 1)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TOOL_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return HUNG
    counted = re.findall(TOOLS[tool], done.stdout)
    return int(counted[-1]) if counted else "no summary"


def observe() -> tuple[Mapping[str, Any], int]:
    """Launch all exhibits of the target; return what was found, and how many mended ones failed."""
    shown = [one for one in exhibits().values() if one.target == TARGET]
    shown.sort(key=lambda one: not one.hangs)  # what takes longest begins first
    found: dict[str, dict[str, Any]] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for one, counts in zip(shown, pool.map(in_process, shown), strict=True):
            found[one.name] = {**counts, "compute_sanitizer": {}}
            print(f"{one.name}: {counts}", flush=True)
        for one, said in zip(shown, pool.map(by_own_compiler, shown), strict=True):
            if said:
                found[one.name]["own_compiler"] = said
                print(f"{one.name}: {said}", flush=True)
        if sanitizer():
            asked = [(tool, one, each) for one in shown for tool in TOOLS for each in VERSIONS]
            for (tool, one, version), count in zip(
                asked, pool.map(lambda each: sanitized(*each), asked), strict=True
            ):
                told = found[one.name]["compute_sanitizer"]
                told.setdefault(tool, {})[version] = count
    failed = sum(each.get("fixed") != 0 for each in found.values())
    return {"launches": LAUNCHES, "exhibits": found}, failed


def main() -> None:
    """Launch a kernel on the GPU, and print how many launches left something wrong."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("name", choices=sorted(exhibits()))
    parser.add_argument("versions", nargs="+", choices=VERSIONS)
    parser.add_argument("--launches", type=int, default=LAUNCHES)
    given = parser.parse_args()
    one = exhibits()[given.name]
    device = lanemap.open_device(one.target, device="cuda")
    for version in given.versions:
        print(f"{version}:", *wrong(device, one, version, given.launches), flush=True)


if __name__ == "__main__":
    main()

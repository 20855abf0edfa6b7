"""Programs in the shape of NVIDIA's samples, by nvcc: right ones, and broken twins that are found.

nvcc reads CUDA's headers for each file anew, so all programs and twins are compiled as one unit,
each in a namespace of its own. `lanemap exec` then runs each as a process of its own. Where nvcc
or g++ is missing, nothing here runs.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvcc
from tests.cli.processes import LANEMAP
from tests.doors import pairs

PROGRAMS = pairs.scripts("nvcc")
HEADER = pairs.HERE / "nvcc" / "samples.h"
#: What calls that CUDA refuses end with, and what it printed on a GPU, behind a line that names it.
STATUSES = HEADER.parent / "statuses" / "statuses.cu"
CONSTANTS = re.compile(r"constants \d+")
#: What two of them ask for, and do without.
LACKING = ["cudaCreateTextureObject is not supported", "cudaStreamBeginCapture is not supported"]
try:
    nvcc.version()
except MissingEnvironment as missing:
    pytest.skip(str(missing), allow_module_level=True)


@dataclass(frozen=True)
class Unit:
    """All programs as one executable, whose first argument says which runs."""

    executable: Path
    twins: dict[str, pairs.Twin]


def compiled(arguments: list[str], folder: Path) -> None:
    """Run `lanemap nvcc`."""
    command = [*LANEMAP, "nvcc", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    """The executable of all programs and twins."""
    folder = tmp_path_factory.mktemp("nvcc")
    sources, twins = {each.stem: each for each in (*PROGRAMS, STATUSES)}, {}
    for program in PROGRAMS:
        found = pairs.twins(program)
        assert found, f"{program.name} has no broken twin"
        for number, twin in enumerate(found):
            name = f"{program.stem}_{number}"
            (folder / name).mkdir()
            sources[name], twins[name] = twin.write(folder / name), twin
    (folder / "unit.cu").write_text(pairs.unit(sources, HEADER))
    compiled(["-o", "unit", "unit.cu", f"-I{HEADER.parent}"], folder)
    return Unit(folder / "unit", twins)


def run(script: str) -> tuple[int, str, dict[str, Any]]:
    """Run a script of the shell under `lanemap exec`; its status, what it printed, the report."""
    command = [*LANEMAP, "exec", "--json", "--", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout, done.stderr
    return done.returncode, done.stderr, json.loads(done.stdout)


@pytest.mark.parametrize("option", [["-rdc=true"], ["-dc"], ["-rdc", "true"]])
def test_kernels_of_several_files_are_refused(option: list[str]) -> None:
    command = [*LANEMAP, "nvcc", *option, "-o", "program", "no.cu"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"lanemap: {option[0]}: kernels are kept as PTX, which nvlink")


def test_programs_are_right_and_clean(unit: Unit) -> None:
    """Each says so; two of them do without what the emulator lacks."""
    names = [each.stem for each in PROGRAMS]
    steps = [f"{shlex.quote(str(unit.executable))} {name} || exit 1" for name in names]
    status, printed, report = run("\n".join(steps))
    assert [line for line in printed.splitlines() if line.endswith(": right")] == [
        f"{name}: right" for name in names
    ], printed
    assert not report["hazards"] and not report["refused"] and not report["lost"]
    assert [each for each in LACKING if each in report["lacking"]] == LACKING
    assert (status, report["processes"]) == (0, len(names))
    kernels = {name.partition("::")[0] for name in report["launches"]}
    assert kernels == set(names)
    assert "thread 1 of tell has 1.25 and 1099511627776\n" in printed


def test_broken_twins_are_found(unit: Unit) -> None:
    """By the kind of their fault, at a line of their own source."""
    steps = [f"{shlex.quote(str(unit.executable))} {name}" for name in unit.twins]
    status, printed, report = run("\n".join([*steps, "true"]))
    assert status == 1, printed
    for name, twin in unit.twins.items():
        source = str(unit.executable.with_name(name) / twin.script.name)
        own = [each for each in report["hazards"] if each["file"] == source]
        if twin.kind == "undefined":  # it is the host that reads
            sides = [(each, each["other"]) for each in report["hazards"] if not each["file"]]
            own += [each for each, other in sides if not other or other["file"] == source]
        else:
            assert all(each["kernel"].startswith(f"{name}::") for each in own)
        assert twin.kind in {each["kind"] for each in own}, (name, own, printed)


def test_calls_end_with_the_statuses_of_a_gpu(unit: Unit) -> None:
    """A line for each call, as an H200 with CUDA 13 wrote it; constants are those of the unit."""
    _, printed, report = run(f"{shlex.quote(str(unit.executable))} statuses")
    wanted = STATUSES.with_name("h200.txt").read_text().splitlines()[1:]
    assert len(wanted) > 80
    found = [line for line in printed.splitlines() if not line.startswith("lanemap: ")]
    assert [CONSTANTS.sub("", each) for each in found] == [CONSTANTS.sub("", e) for e in wanted]
    assert not report["hazards"] and report["lacking"]

"""Scripts of docs/doors.md on a GPU, by the libraries themselves: `python -m tools.doors cupy`.

Each script checks its own results against the host, so its exit status is what a GPU says of it. A
door's outcome becomes a row of evidence `silicon`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import lanemap
from lanemap import paths
from lanemap.errors import LanemapError
from lanemap.records.files import write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record
from tests.doors import pairs

TARGET = "sm_90a"
#: Seconds after which a script is taken to hang; most need three.
_LIMIT = 90.0
_LETTERS = 200


@dataclass(frozen=True)
class Door:
    """A door's scripts.

    Attributes:
        packages: What they run with; the first that is installed of each tuple of names.
        prepared: What Python does before a script, because the library lacks it; "" for nothing.
    """

    packages: tuple[tuple[str, ...], ...] = ()
    prepared: str = ""


DOORS: dict[str, Door] = {
    "cupy": Door((("cupy-cuda13x", "cupy"), ("numpy",))),
    "triton": Door((("triton",), ("cupy-cuda13x", "cupy"))),
    "cuda_core": Door((("cuda-core",), ("cuda-bindings",))),
    "cuda_bindings": Door((("cuda-bindings",),)),
    # numba before 0.67 asks NumPy for a name that NumPy 2.5 no longer has.
    "numba": Door(
        (("numba-cuda",), ("numba",), ("numpy",)), "import numpy; numpy.row_stack = numpy.vstack"
    ),
    "warp": Door((("warp-lang",),)),
    "nvcc": Door(),
}


def row_of(door: str) -> Path:
    """Return the file of a door's row."""
    return paths.find("results") / TARGET / "cuda" / f"door_{door}.json"


def outcome(command: Sequence[str]) -> str | None:
    """Run a script; return why it is not right, None if it is."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        return f"it did not end in {_LIMIT:.0f} s"
    if not done.returncode:
        return None
    last = (done.stderr or done.stdout).strip().splitlines()[-1:]
    return f"it ended with status {done.returncode}: {''.join(last)[-_LETTERS:]}"


def commands(door: str, folder: Path) -> dict[str, list[str]]:
    """Return the command of each script; programs of nvcc are compiled to a folder.

    Raises:
        CalledProcessError: nvcc refuses them.
    """
    scripts = pairs.scripts(door)
    if door != "nvcc":
        run = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
        code = f"{DOORS[door].prepared}\n{run}"
        return {each.stem: [sys.executable, "-c", code, str(each)] for each in scripts}
    header = scripts[0].with_name("samples.h")
    source, program = folder / "unit.cu", folder / "unit"
    source.write_text(pairs.unit({each.stem: each for each in scripts}, header))
    subprocess.run(
        ["nvcc", "-arch", TARGET, "-o", program, source, f"-I{header.parent}"], check=True
    )
    return {each.stem: [str(program), each.stem] for each in scripts}


def packages(door: str) -> dict[str, str]:
    """Return the versions of a door's packages, or of nvcc."""
    if door == "nvcc":
        told = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True)
        return {"nvcc": told.stdout.strip().splitlines()[-1]}
    found = {}
    for names in DOORS[door].packages:
        for name in names:
            try:
                found[name] = version(name)
                break
            except PackageNotFoundError:
                continue
    return found


def judged(door: str, jobs: int) -> dict[str, Any]:
    """Run a door's scripts, so many at once; return the findings of its row."""
    texts = {each.stem: source_hash(each.read_text()) for each in pairs.scripts(door)}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        whole = commands(door, Path(folder))
        whys = dict(zip(whole, pool.map(outcome, whole.values()), strict=True))
    return {
        "packages": packages(door),
        "prepared": DOORS[door].prepared or None,
        "scripts": {name: {"text": texts[name], "why": why} for name, why in whys.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the row of each door that is named; the exit status is 1 if a script is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("doors", nargs="*", metavar="DOOR", help="all unless named")
    parser.add_argument("--out", type=Path, default=paths.find("results"))
    parser.add_argument("--jobs", type=int, default=4, help="scripts at once")
    given = parser.parse_args(arguments)
    if unknown := {*given.doors} - {*DOORS}:
        parser.error(f"no door is called {', '.join(unknown)}; these are: {', '.join(DOORS)}")
    wrong = 0
    try:
        environment = dict(lanemap.open_device(TARGET, device="cuda").environment())
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    for door in given.doors or DOORS:
        if door == "nvcc" and shutil.which("nvcc") is None:
            print("nvcc: not found on PATH, so its programs are left out", file=sys.stderr)
            wrong += 1
            continue
        findings = judged(door, given.jobs)
        whys = {name: each["why"] for name, each in findings["scripts"].items() if each["why"]}
        print(f"{door}: {len(findings['scripts']) - len(whys)} of {len(findings['scripts'])} right")
        for name, why in whys.items():
            print(f"  {name}: {why}")
        wrong += len(whys)
        row = Record(
            f"door_{door}", TARGET, "cuda", "silicon", findings=findings, kind="door",
            environment=environment,
        )  # fmt: skip
        write_records([row], given.out)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())

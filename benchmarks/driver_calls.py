"""What calls of lanemap's libcuda.so.1 cost, in a process of lanemap's and under `lanemap exec`.

    python benchmarks/driver_calls.py [--write]

A program in C makes the calls. `--write` keeps the figures in driver_calls.json, which
docs/decisions/driver-in-c.md shows.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import describe

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.in_process import NAME, libcuda_in_process
from lanemap.devices import open_device
from lanemap.devices.emulator import driver_library
from lanemap.targets import TARGETS

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "driver_calls.json"
SOURCE = HERE / "driver_calls.c"
_OWN = "the launch by the emulator alone"


def built(folder: Path, shared: bool) -> Path:
    """Compile the program, or a library of it."""
    library = driver_library(NAME)
    path = folder / ("calls.so" if shared else "calls")
    command = [sys.executable, "-m", "ziglang", "cc", "-O1", str(SOURCE), "-o", str(path)]
    command += [f"-L{library.parent}", f"-l:{library.name}", *(["-shared", "-fPIC"] * shared)]
    subprocess.run(command, check=True)
    return path


def read(text: str) -> dict[str, float]:
    """Microseconds by the names that the program printed."""
    found = {}
    for line in text.splitlines():
        nanoseconds, _, name = line.partition(" ")
        found[name] = float(nanoseconds) / 1000
    return found


def in_process(program: Path) -> dict[str, float]:
    """Measure in a process of lanemap's, which prints what is found."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from driver_calls import measure_here\n"
        "measure_here(sys.argv[1])\n"
    )
    command = [sys.executable, "-c", code, str(program), str(HERE)]
    return read(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure_here(program: str) -> None:
    """Make the calls of a library in this process, and launch without them."""
    from launches import best

    device = open_device("sm_90a", "emulator", "report")
    with libcuda_in_process(Calls(Emulated(device, Findings(quiet=True)), TARGETS["sm_90a"])):
        if ctypes.CDLL(program).measure():
            raise SystemExit("a call failed")
    text = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry nothing() { ret; }\n"
    kernel = device.load(text)["nothing"]
    seconds = best(lambda: kernel.launch_block((1, 1, 1), (32, 1, 1), b"", 0, (1, 1, 1)), 1000)
    print(f"{1e9 * seconds:.1f} {_OWN}", flush=True)


def beside(program: Path) -> dict[str, float]:
    """Measure under `lanemap exec`."""
    command = [sys.executable, "-m", "lanemap", "exec", "--", str(program)]
    return read(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the figures in {FIGURES.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = in_process(built(folder, shared=True))
        apart = beside(built(folder, shared=False))
    found = {
        call: {
            "in_process": round(each, 3),
            "exec": round(apart[call], 3) if call in apart else None,
        }
        for call, each in own.items()
    }
    about = describe()
    print(about)
    for call, row in found.items():
        print(f"{call:>50} {row['in_process']:10.3f} us {row['exec'] or 0:10.3f} us")
    if given.write:
        FIGURES.write_text(json.dumps({"machine": about, "calls": found}, indent=2) + "\n")


if __name__ == "__main__":
    main()

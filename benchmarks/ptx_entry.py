"""How long the emulator takes to parse, check and compile one large PTX entry.

    python benchmarks/ptx_entry.py [FILE ENTRY] [--repeats R] [--json]

Without FILE it is benchmarks/tile.cu, compiled for sm_90a by NVRTC. Two states, each in new
processes:

* cold: an empty object cache. The text is parsed and every instruction checked; the emulator's own
  helpers and then every block of the entry are compiled.
* warm: the same with the objects that a cold process left.

Times are processor time (time.process_time): others that share the machine hardly count, although
a busy neighbour core makes them longer. `import` is `import lanemap` and opening the device, `load`
what `device.load` does, `code` the machine code of all blocks in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import describe

HERE = Path(__file__).resolve().parent
STEPS = ("import", "load", "code")


def measure_here(path: str, entry: str) -> dict[str, Any]:
    """Seconds of each step in this process, and how many instructions the entry has."""
    times = [time.process_time()]
    import lanemap

    text = Path(path).read_text()
    target = text.partition(".target")[2].split()[0].rstrip(",")
    lanemap.open_device(target, device="emulator")
    times.append(time.process_time())
    from lanemap.emulator import ptx

    program = ptx.load(text, path).kernels[entry].program
    times.append(time.process_time())
    from lanemap.emulator.codegen import compiler, tiers

    native = compiler.native()
    for number in range(len(tiers.units(program.block_sizes))):
        native.unit(program, number, False)
    times.append(time.process_time())
    steps = [after - before for before, after in zip(times, times[1:], strict=False)]
    count = sum(1 for operation in program.operations() if operation.text)
    return {"instructions": count, **dict(zip(STEPS, steps, strict=True))}


def measure(path: str, entry: str, repeats: int) -> dict[str, dict[str, Any]]:
    """The runs of each state: the least and the median of every step."""
    runs: dict[str, list[dict[str, Any]]] = {"cold": [], "warm": []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            for state in runs:
                command = [sys.executable, __file__, path, entry, "--child"]
                environment = os.environ | {"LANEMAP_CACHE": cache}
                done = subprocess.run(
                    command, env=environment, check=True, capture_output=True, text=True
                )
                runs[state].append(json.loads(done.stdout))
    return {state: _summary(some) for state, some in runs.items()}


def _summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {"instructions": runs[0]["instructions"]}
    for run in runs:
        run["load + code"] = run["load"] + run["code"]
    for step in (*STEPS, "load + code"):
        values = [run[step] for run in runs]
        found[step] = {"least": min(values), "median": statistics.median(values)}
    return found


def _tile(folder: str) -> str:
    from lanemap.toolchain.nvrtc import compile_cuda

    text = compile_cuda((HERE / "tile.cu").read_text(), "sm_90a", ("-lineinfo",), "tile.cu")
    path = Path(folder) / "tile.ptx"
    path.write_text(text)
    return str(path)


def main() -> int:
    """Measure one entry, or be one measured process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?")
    parser.add_argument("entry", nargs="?", default="tile")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure_here(options.file, options.entry)))
        return 0
    machine = describe()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(options.file or _tile(folder), options.entry, options.repeats)
    if options.json:
        print(json.dumps({"machine": machine, "entry": options.entry, "rows": rows}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"{options.entry}, {rows['cold']['instructions']} instructions")
    print(f"seconds of processor time, least and median of {options.repeats} processes")
    for state, row in rows.items():
        steps = [(step, row[step]) for step in (*STEPS, "load + code")]
        parts = [f"{step} {found['least']:.3f} {found['median']:.3f}" for step, found in steps]
        print(f"{state:5} " + "   ".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())

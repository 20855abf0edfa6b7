"""The first launch of a mid-size CUDA kernel, and what bytecode and compiled code cost.

    python benchmarks/compile.py [--before PATH] [--repeats R] [--json]

The kernel is benchmarks/sgemm.cu, a product of matrices with 8 x 8 sums in each thread and its
inner loop unrolled, compiled for sm_90a by NVRTC; one CTA multiplies matrices of 128 x 128. With
`--before` another checkout of lanemap is measured in turns with this one, each sample in new
processes. Times are processor time on one core:

* cold: `load` and the first launch with an empty object cache;
* warm: the same with the objects that a cold process left;
* again: a later launch in the same process.

For this checkout alone, of this kernel's units: seconds to make them in bytecode and with LLVM.
What LLVM gives is the difference between `cold` and `again` of emulator_alu.py, whose loops run
long enough for it.
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
STATES = ("cold", "warm", "again")
SIZE = 128


def first_launch(path: str) -> list[float]:
    """Seconds of load with a first launch, and of a second launch, in this process."""
    import numpy as np

    import lanemap

    device = lanemap.open_device("sm_90a", device="emulator")
    random = np.random.default_rng(1)
    a, b = (random.random((SIZE, SIZE), np.float32) for _ in range(2))
    x, y, z = device.array(a), device.array(b), device.zeros((SIZE, SIZE), np.float32)
    times = [time.process_time()]
    kernel = device.load(Path(path).read_text())["sgemm"]
    for _ in range(2):
        kernel((1, 1, 1), (256, 1, 1), (x, y, z, np.int32(SIZE)))
        times.append(time.process_time())
    if not np.allclose(z.get(), a.astype(np.float64) @ b, rtol=1e-4):
        raise RuntimeError("the product is wrong")
    return [times[1] - times[0], times[2] - times[1]]


def levels(path: str) -> dict[str, float]:
    """Seconds to make every unit of the kernel in bytecode and with LLVM, in this process."""
    from lanemap.emulator import ptx
    from lanemap.emulator.codegen import tiers, unit
    from lanemap.emulator.codegen.processor import processor

    program = ptx.load(Path(path).read_text(), path).kernels["sgemm"].program
    numbers = range(len(tiers.units(program.block_sizes)))
    times = [time.process_time()]
    for number in numbers:
        unit.bytecode_unit(program, number, False, lambda name: True)
    times.append(time.process_time())
    for number in numbers:
        unit.compile_unit(program, number, False, processor(), f"{number:030}")
    times.append(time.process_time())
    return {"bytecode": times[1] - times[0], "LLVM": times[2] - times[1]}


def _child(root: Path, cache: str, *arguments: str) -> Any:
    environment = os.environ | {
        "LANEMAP_CACHE": cache,
        "PYTHONPATH": str(root),
        "LANEMAP_THREADS": "1",
    }
    # a checkout's modules are compiled to bytecode once, as an installed package's are
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, str(HERE / "compile.py"), "--child", *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def sample(root: Path, path: str) -> dict[str, float]:
    """Each state once, in new processes."""
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = _child(root, cache, "launch", path)
        warm, again = _child(root, cache, "launch", path)
    return dict(zip(STATES, (cold, warm, again), strict=True))


def _ptx(folder: str) -> str:
    from lanemap.toolchain.nvrtc import compile_cuda

    text = compile_cuda((HERE / "sgemm.cu").read_text(), "sm_90a", ("-lineinfo",), "sgemm.cu")
    path = Path(folder) / "sgemm.ptx"
    path.write_text(text)
    return str(path)


def _be_child(words: list[str]) -> int:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(levels(words[1]) if words[0] == "levels" else first_launch(words[1])))
    return 0


def main() -> int:
    """Measure, or be one measured process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="another checkout, to be measured beside this")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return _be_child(options.child)
    machine = describe()
    roots = {"before": options.before.resolve()} if options.before else {}
    roots["after"] = HERE.parent
    samples: dict[str, list[dict[str, float]]] = {name: [] for name in roots}
    with tempfile.TemporaryDirectory() as folder:
        path = _ptx(folder)
        for _ in range(options.repeats):
            for name, root in roots.items():
                samples[name].append(sample(root, path))
        made = _child(HERE.parent, folder, "levels", path)
    rows = {
        name: {state: statistics.median(one[state] for one in some) for state in STATES}
        for name, some in samples.items()
    }
    if options.json:
        print(json.dumps({"machine": machine, "rows": rows, "units": made}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"seconds of processor time, medians of {options.repeats}")
    print(" " * 8 + "".join(f"{state:>8}" for state in STATES))
    for name, row in rows.items():
        print(f"{name:8}" + "".join(f"{row[state]:8.3f}" for state in STATES))
    if len(rows) == 2:
        ratios = (rows["before"][state] / rows["after"][state] for state in STATES)
        print(f"{'ratio':8}" + "".join(f"{ratio:8.2f}" for ratio in ratios))
    print("units: " + ", ".join(f"{level} {seconds:.3f} s" for level, seconds in made.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

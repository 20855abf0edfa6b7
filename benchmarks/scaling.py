"""How many times faster so many threads are than one: products, attention, a copy, hazards on.

    python benchmarks/scaling.py [--threads N ..] [--size N] [--cpu LEVEL] [--only KERNEL ..]
                                 [--json]

The time of the clock of the best launch after the first, in a process of its own for each kernel
and number of threads (LANEMAP_THREADS): products of size x size x size and attention of 8 heads
over that length by Triton's kernels (benchmarks/products.py), 64 MiB copied by 16 bytes a lane
(benchmarks/memory.py), and a million words counted by their upper bits with atomics. A kernel that
fails is named with its error, and others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from machine import describe

REPEATS = 4
#: One head has fewer CTAs than a machine may have threads.
HEADS = 8


def product(name: str, size: int, **more: Any) -> Callable[[], Any]:
    """A launch of one of benchmarks/products.py."""
    import products

    import lanemap

    case = products.CASES[name]
    device = lanemap.open_device(case.target, "emulator")
    work = case.make(device, case.kernel, size, *case.types, **more)
    work.launch()
    if not work.is_right():
        raise RuntimeError(f"{name}: the kernel's result is wrong")
    launch: Callable[[], Any] = work.launch
    return launch


def copied(size: int) -> Callable[[], Any]:
    """A launch of the copy, whatever the size."""
    import memory

    import lanemap

    device = lanemap.open_device("sm_90a", device="emulator")
    data = np.random.default_rng(0).integers(0, 1 << 32, memory.COPY_BYTES // 4, dtype=np.uint32)
    given, out = device.array(data), device.zeros(data.size, np.uint32)
    kernel = device.load(memory.PTX_COPY)["k"]
    grid, threads = memory.COPY_CTAS, memory.COPY_THREADS
    launch = partial(kernel, grid, threads, (given, out, np.uint32(data.nbytes // 16)))
    launch()
    if not np.array_equal(out.get(), data):
        raise RuntimeError("the copy is wrong")
    return launch


def counted(size: int) -> Callable[[], Any]:
    """A launch of the histogram, whatever the size."""
    import memory_kernels

    import lanemap

    device = lanemap.open_device("sm_90a", device="emulator")
    data = np.random.default_rng(0).integers(0, 1 << 32, 1 << 20, dtype=np.uint32)
    given, out = device.array(data), device.zeros(1 << 12, np.uint32)
    kernel = device.load(memory_kernels.PTX_HISTOGRAM)["k"]
    launch = partial(kernel, 256, 256, (given, out, np.uint32(data.size)))
    launch()
    if not np.array_equal(out.get(), np.bincount(data >> 20, minlength=1 << 12)):
        raise RuntimeError("the counts are wrong")
    return launch


CASES: dict[str, Callable[[int], Callable[[], Any]]] = {
    "product, sm_90a, wgmma": partial(product, "triton wgmma, cp.async"),
    "product, sm_100a, tcgen05": partial(product, "triton tcgen05, TMA (fp16)"),
    "product, sm_100a, nvfp4": partial(product, "triton nvfp4, TMA"),
    "attention, sm_90a": partial(product, "triton attention, wgmma", heads=HEADS),
    "attention, sm_100a": partial(product, "triton attention, tcgen05", heads=HEADS),
    "copy of 64 MiB": copied,
    "counts of a million words": counted,
}


def seconds(name: str, size: int) -> float | str:
    """The best of some launches after the first; or why there is none."""
    try:
        launch = CASES[name](size)
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            launch()
            times.append(time.perf_counter() - start)
        return min(times)
    except Exception as error:  # other kernels are still measured
        return f"{type(error).__name__}: {error}"


def measure(name: str, threads: int, size: int, cpu: str) -> float | str:
    """Seconds of a kernel in a process with so many threads; or why there are none."""
    environment = os.environ | {"LANEMAP_THREADS": str(threads)}
    environment |= {"LANEMAP_CPU": cpu} if cpu else {}
    command = [sys.executable, "-m", "benchmarks.scaling", "--child", name, "--size", str(size)]
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [folder, os.path.join(folder, "benchmarks"), os.environ.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    done = subprocess.run(
        command, env=environment, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    found: float | str = json.loads(done.stdout)
    return found


def row(name: str, given: argparse.Namespace) -> list[float | str]:
    """Measure a kernel with all numbers of threads, and print each time as soon as it is known."""
    print(f"{name:28}", end="", flush=True)
    taken: list[float | str] = []
    measure(name, max(given.threads), given.size, given.cpu)  # what it compiles is in the cache now
    for threads in given.threads:
        each = measure(name, threads, given.size, given.cpu)
        taken.append(each)
        if isinstance(each, str):
            print(each, end="")
            break
        print(f"{each:9.3f} s {taken[0] / each:5.2f}x", end="", flush=True)
    print(flush=True)
    return taken


def main() -> None:
    """Print the table, or be one measured process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--cpu", default="", help="LANEMAP_CPU, such as x86-64-v3")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--json", action="store_true", help="and as JSON in the last line")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        print(json.dumps(seconds(given.child, given.size)))
        return
    machine = describe()
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    print(f"{'threads':28}" + "".join(f"{threads:12}      " for threads in given.threads))
    found = {name: row(name, given) for name in given.only}
    if given.json:
        print(json.dumps({"machine": machine, "threads": given.threads, "seconds": found}))


if __name__ == "__main__":
    main()

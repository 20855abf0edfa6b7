"""What it costs to hold the lanes of a warp in order where they part, which is the default.

    python benchmarks/lane_order.py [CORPUS ..] [--repeats R] [--json]

Each corpus is tests that launch what compilers made: Triton's stored texts, CUDA C++ that NVRTC
compiles, the kernels of kernels/, CuTe DSL's stored texts, and whole CUDA programs. The time is
processor time inside of launches, code compiled before (the first run is for nothing), of
processes with and without in turns; the least of some. A test that fails ends the benchmark: it
would be a false alarm.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from machine import describe

ROOT = Path(__file__).resolve().parents[1]
CORPORA = {
    "Triton's texts": ["tests/emulator/ptx/test_triton.py"],
    "CUDA C++": ["tests/corpus/test_ptx.py", "tests/corpus/test_matrices.py"],
    "kernels/": ["tests/kernels/test_gemm.py", "tests/kernels/test_fmha.py"],
    "CuTe DSL's texts": ["tests/emulator/ptx/test_cute_dsl.py"],
    "CUDA programs": ["tests/programs/test_cuda.py"],
}  # fmt: skip


def child(paths: list[str], without: bool) -> int:
    """Run the tests here; print processor seconds inside of launches."""
    import pytest

    from lanemap.emulator.host import run
    from lanemap.emulator.runtime import abi

    if without:
        run.lane_order = lambda program, settings: (
            abi.LaneOrders.ALWAYS
            if settings.strict and program.lanes_part
            else abi.LaneOrders.IN_ORDER
        )
    spent, plain = 0.0, run.Run.step

    def timed(self: Any) -> Any:
        nonlocal spent
        begun = time.process_time()
        try:
            return plain(self)
        finally:
            spent += time.process_time() - begun

    run.Run.step = timed
    flags = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    status = pytest.main([*flags, *paths])
    print(f"\nspent {spent}")
    return int(status)


def seconds(paths: list[str], without: bool) -> float:
    """Processor seconds of one process.

    Raises:
        RuntimeError: a test failed.
    """
    command = [sys.executable, __file__, "--child", *(["--without"] if without else []), *paths]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LANEMAP_THREADS": "1"}
    done = subprocess.run(
        command, env=environment, cwd=ROOT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return float(done.stdout.split()[-1])


def measure(names: list[str], repeats: int) -> dict[str, dict[str, float]]:
    """The least time of each corpus, without and with."""
    found: dict[str, dict[str, float]] = {}
    for name in names:
        row: dict[str, float] = {}
        for turn in range(repeats + 1):
            for label, without in (("without", True), ("with", False)):
                taken = seconds(CORPORA[name], without)
                if turn:
                    row[label] = min(taken, row.get(label, taken))
        found[name] = row
    return found


def main() -> int:
    """Measure and print, or be one measured process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--without", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.names, options.without)
    machine, found = describe(), measure(options.names or list(CORPORA), options.repeats)
    if options.json:
        print(json.dumps({"machine": machine, "repeats": options.repeats, "seconds": found}))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print("| corpus | without, s | with, s | more |\n|---|---|---|---|")
    for name, row in found.items():
        more = row["with"] / row["without"] - 1
        print(f"| {name} | {row['without']:.2f} | {row['with']:.2f} | {100 * more:+.1f} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

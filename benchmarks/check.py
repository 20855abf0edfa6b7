"""What `lanemap check` adds to a Triton script beside PyTorch, Triton and its compiler.

    python benchmarks/check.py [--repeats R] [--target T] [SCRIPT ..]

* begin: importing lanemap and putting the emulator in the GPU's place.
* load: reading and compiling kernels' texts for the emulator, and what that imports.
* launch: passing arguments and running the kernels, native code of basic blocks included.
* own: the sum of the three. What follows PyTorch's operations is not in it.
* all: the whole script in that process, PyTorch's and Triton's imports included.

Seconds of the process's CPU time, the median of processes. A first process fills Triton's cache,
the emulator's cache of objects and Python's of bytecode.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from machine import describe

SCRIPTS = ("vector_add", "layer_norm", "cross_entropy", "matmul", "attention")
EXAMPLES = Path(__file__).resolve().parents[1] / "examples/triton"


def one(script: Path, target: str) -> dict[str, float]:
    """Check a script in this process; return seconds."""
    clock = time.process_time
    import torch  # noqa: F401
    import triton.compiler
    import triton.runtime
    import triton.testing  # noqa: F401

    spent = dict.fromkeys(("begin", "load", "launch"), 0.0)

    def timed(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            start = clock()
            try:
                return function(*given, **named)
            finally:
                spent[kind] += clock() - start

        return call

    start = clock()
    from lanemap.check import run
    from lanemap.check.driver import Utils
    from lanemap.check.launch import Launcher

    def begun(*given: Any) -> Any:
        spent["begin"] += clock() - start
        return original(*given)

    original = run._run
    run._run = begun
    Utils.load_binary = timed("load", Utils.load_binary)  # type: ignore[method-assign]
    Launcher.__call__ = timed("launch", Launcher.__call__)  # type: ignore[method-assign]
    with contextlib.redirect_stdout(io.StringIO()):
        outcome = run.check(script, [], run.Options(target=target, quiet=True))
    assert outcome.faultless, outcome.ended
    return {**spent, "own": sum(spent.values()), "all": clock()}


def measure(script: Path, target: str, repeats: int, caches: str) -> dict[str, float]:
    """Return the medians of new processes, after one that fills the caches."""
    names = {
        "TRITON_CACHE_DIR": "triton", "LANEMAP_CACHE": "objects", "PYTHONPYCACHEPREFIX": "bytecode"
    }  # fmt: skip
    environment = {**os.environ, **{key: f"{caches}/{name}" for key, name in names.items()}}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, __file__, "--one", "--target", target, str(script)]
    rows = [
        json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
        for _ in range(repeats + 1)
    ][1:]
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="*", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--target", default="sm_100a")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    scripts = options.scripts or [EXAMPLES / f"{name}.py" for name in SCRIPTS]
    if options.one:
        print(json.dumps(one(scripts[0], options.target)))
        return 0
    print(", ".join(f"{key} {value}" for key, value in describe().items()))
    print(f"seconds of CPU time, median of {options.repeats} processes, {options.target}")
    for script in scripts:
        with tempfile.TemporaryDirectory() as caches:
            row = measure(script, options.target, options.repeats, caches)
        print(f"{script.stem:16} " + "  ".join(f"{key} {row[key]:5.2f}" for key in row))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

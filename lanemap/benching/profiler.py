"""What a kernel keeps busy on an NVIDIA GPU: Nsight Compute's counters of one launch."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lanemap.benching.benchmark import Benchmark, Problem, axes
from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import benchmarks
from lanemap.errors import MissingEnvironment

#: Nsight Compute's names of what is counted, all in percent of a peak: of the cycles in which an SM
#: is active, or of all cycles of the launch.
_ACTIVE, _ELAPSED = "avg.pct_of_peak_sustained_active", "avg.pct_of_peak_sustained_elapsed"
METRICS = {
    "tensor cores": f"sm__pipe_tensor_cycles_active.{_ACTIVE}",
    "special functions": f"sm__inst_executed_pipe_xu.{_ACTIVE}",
    "FMA": f"sm__inst_executed_pipe_fma.{_ACTIVE}",
    "ALU": f"sm__inst_executed_pipe_alu.{_ACTIVE}",
    "issue slots": f"smsp__issue_active.{_ACTIVE}",
    "L1 and shared memory": f"l1tex__throughput.{_ACTIVE}",
    "L2 cache": f"lts__throughput.{_ELAPSED}",
    "memory": f"dram__throughput.{_ELAPSED}",
}
_NAME = "Kernel Name"


def program() -> str:
    """Return Nsight Compute's program.

    Raises:
        MissingEnvironment: it is not here.
    """
    found = shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")
    if found is None:
        raise MissingEnvironment("--profile needs Nsight Compute's ncu, which CUDA's toolkit has")
    return found


def version() -> str:
    """Return Nsight Compute's name and version."""
    text = subprocess.run((program(), "--version"), capture_output=True, text=True, check=True)
    words = text.stdout.split()
    return f"Nsight Compute {words[words.index('Version') + 1]}"


def profiled(benchmark: Benchmark, problems: Sequence[Problem]) -> list[dict[str, float]]:
    """Return what a launch of each problem keeps busy, in percent, with cold caches.

    Raises:
        MissingEnvironment: ncu is not here, or may not read the GPU's counters.
    """
    with tempfile.TemporaryDirectory() as folder:
        todo, log, done = (Path(folder) / name for name in ("todo.json", "log.csv", "done.json"))
        code = str(COMPILED.folder) if COMPILED.folder else ""
        asked = [benchmark.kernel, benchmark.target, code, [axes(each) for each in problems]]
        todo.write_text(json.dumps(asked))
        child = (sys.executable, "-m", __spec__.name, str(todo), str(done))
        counted = "--metrics", ",".join(METRICS.values()), "--clock-control", "none"
        told = "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(log)
        ran = subprocess.run((program(), *counted, *told, *child), capture_output=True, text=True)
        if ran.returncode or not done.exists():
            said = (log.read_text() if log.exists() else "") + ran.stdout + ran.stderr
            raise MissingEnvironment(f"ncu fails: {' '.join(said[-600:].split())}")
        return _percent(log.read_text(), json.loads(done.read_text()))


def _percent(text: str, names: Sequence[str]) -> list[dict[str, float]]:
    """Return the counters of the launches of kernels with these names, in their order."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if f'"{_NAME}"' in line)
    rows = csv.DictReader(io.StringIO("\n".join(lines[first:])))
    found = [each for each in rows if each[_NAME].partition("(")[0] in names]
    if [each[_NAME].partition("(")[0] for each in found] != list(names):
        raise MissingEnvironment(f"ncu counted {len(found)} of {len(names)} launches")
    return [
        {name: round(float(each[metric].replace(",", "")), 1) for name, metric in METRICS.items()}
        for each in found
    ]


def _launch(todo: Path, done: Path) -> None:
    """Launch what a file names, and write the names of the kernels."""
    import lanemap

    kernel, target, folder, problems = json.loads(todo.read_text())
    (benchmark,) = benchmarks(kernel, target)
    device, names = lanemap.open_device(target, "cuda"), []

    def launch_each() -> None:
        for each in problems:
            case: Any = benchmark.case(device, type(benchmark.default)(**each))
            case.fill(case.inputs[0])
            case.run()
            names.append(case.launch.kernel.name)

    if folder:
        with COMPILED.using(Path(folder)):
            launch_each()
    else:
        launch_each()
    done.write_text(json.dumps(names))


if __name__ == "__main__":
    _launch(Path(sys.argv[1]), Path(sys.argv[2]))

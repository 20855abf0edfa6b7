"""Counts how often a GPU executes each instruction of SASS, with Nsight Compute.

    python -m tools.executed OUT.json            on a machine with an sm_90 GPU and ncu

runs the kernels of tests/timing/executed.py under ncu. Of each it writes the hash of its code, and
the counts in order of addresses as runs: [count, how many instructions]. tests/timing/test_paths.py
holds the paths that lanemap finds against them.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lanemap import open_device
from lanemap.errors import MissingEnvironment

#: Columns of `ncu --page source --csv`.
_SOURCE, _EXECUTED = "Source", "Instructions Executed"


def code_hash(words: list[int]) -> str:
    """The hash of a kernel's instructions, 128 bits each."""
    return hashlib.sha256(b"".join(word.to_bytes(16, "little") for word in words)).hexdigest()


def profile(name: str) -> str:
    """Return what ncu says of the launch of one kernel, as CSV.

    Raises:
        MissingEnvironment: ncu is not here, or cannot read the counters.
    """
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        child = (sys.executable, "-m", "tools.executed", "--run", name)
        measure = (
            ncu, "--clock-control", "none", "--section", "SourceCounters", "--launch-count", "1",
            "--kernel-name", f"regex:^{_kernel(name)}", "-o", str(report), *child,
        )  # fmt: skip
        done = subprocess.run(measure, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingEnvironment(
                f"ncu fails for {name}: {done.stdout[-300:]}{done.stderr[-300:]}"
            )
        read = (ncu, "--import", f"{report}.ncu-rep", "--page", "source", "--csv")
        return subprocess.run(read, capture_output=True, text=True, check=True).stdout


def _kernel(name: str) -> str:
    from tests.timing.executed import KERNELS

    return KERNELS[name].kernel


def counts(text: str) -> list[int]:
    """Return the executions of each instruction, in order of their addresses."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if f'"{_EXECUTED}"' in line)
    rows = csv.DictReader(io.StringIO("\n".join(lines[first:])))
    return [int(float(row[_EXECUTED] or 0)) for row in rows if row.get(_SOURCE)]


def main(words: list[str]) -> int:
    """Run one kernel, or profile all and write the file."""
    from tests.timing.executed import KERNELS

    if words[:1] == ["--run"]:
        KERNELS[words[1]].run_on_gpu()
        return 0
    found: dict[str, Any] = {}
    gpu = open_device("sm_90a", "cuda").environment()["gpu"]
    for name, kernel in KERNELS.items():
        executed = counts(profile(name))
        runs = [[count, len(list(same))] for count, same in itertools.groupby(executed)]
        found[name] = {"code": code_hash(kernel.words()), "executed": runs}
        print(name, sum(executed), flush=True)
    Path(words[0]).write_text(json.dumps({"gpu": gpu, "kernels": found}, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

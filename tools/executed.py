"""Measures kernels with Nsight Compute: executions of each instruction of SASS, and cycles.

    python -m tools.executed cycles OUT.json [NAME..]    on a machine with an sm_90 GPU and ncu
    python -m tools.executed counts OUT.json [NAME..]

run the kernels of tests/timing/executed.py, all or those named. `counts` writes of each the hash of
its code, and the counts in order of addresses as runs: [count, how many instructions];
tests/timing/test_paths.py holds the paths that lanemap finds against them. `cycles` writes the
hash, and of each launch what ncu measured, with caches flushed before it, as the host's copies
leave them, and as the same launch right before it does, and the cycles that warps read.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lanemap.devices import cuda, cuda_prepared
from lanemap.errors import MissingEnvironment, UserError
from tests.timing.earlier import EARLIER
from tests.timing.executed import DEVELOPMENT, Kernel, gpu
from tests.timing.held_out import DRAWN_BEFORE, HELD_OUT

#: Columns of `ncu --page source --csv`.
_SOURCE, _EXECUTED = "Source", "Instructions Executed"
#: What children launch.
_LAUNCHES = {**DEVELOPMENT, **EARLIER, **DRAWN_BEFORE, **HELD_OUT}
#: What is measured of each launch, in one pass.
METRICS = (
    "sm__cycles_elapsed.max",
    "sm__cycles_active.max",
    "sm__cycles_active.min",
    "sm__cycles_active.sum",
    "gpu__time_duration.sum",
)
#: Launches of each kernel under each condition, and how often it follows itself.
TIMES, AGAIN = 3, 3
#: Conditions, and ncu's options for them.
CONDITIONS = {
    "flushed": ("--cache-control", "all", "--clock-control", "none"),
    "as they are": ("--cache-control", "none", "--clock-control", "none"),
    "behind itself": ("--cache-control", "none", "--clock-control", "none"),
}
_BEHIND = "behind itself"


def code_hash(words: list[int]) -> str:
    """The hash of a kernel's instructions, 128 bits each."""
    return hashlib.sha256(b"".join(word.to_bytes(16, "little") for word in words)).hexdigest()


def _ncu(options: Iterable[str], child: Iterable[str], report: Path) -> None:
    """Run a child of this module under ncu.

    Raises:
        MissingEnvironment: ncu is not here, or cannot read the counters, or the child fails.
    """
    program = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    named = ("--kernel-name-base", "mangled")
    words = (program, *named, *options, "-o", str(report), sys.executable, "-m", __spec__.name)
    done = subprocess.run((*words, *child), capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingEnvironment(f"ncu fails: {done.stdout[-1500:]}{done.stderr[-1500:]}")


def _page(report: Path, page: str) -> list[dict[str, str]]:
    """The rows of a page of a report; of page `raw` the first has units."""
    program = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    read = (program, "--import", f"{report}.ncu-rep", "--page", page, "--csv", "--print-units",
            "base", "--print-kernel-base", "mangled")  # fmt: skip
    text = subprocess.run(read, capture_output=True, text=True, check=True).stdout
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if f'"{_EXECUTED}"' in line or '"ID"' in line)
    return list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))


def _only(entries: Iterable[str]) -> tuple[str, str]:
    return "--kernel-name", f"regex:^({'|'.join(sorted(set(entries)))})$"


# -- counts -------------------------------------------------------------------------------------


def counts(name: str) -> list[int]:
    """Return the executions of each instruction of a kernel, in order of their addresses."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        options = ("--clock-control", "none", "--section", "SourceCounters", "--launch-count", "1")
        _ncu((*options, *_only([DEVELOPMENT[name].kernel])), ("--run", "1", name), report)
        rows = _page(report, "source")
    return [int(float(row[_EXECUTED] or 0)) for row in rows if row.get(_SOURCE)]


def _counted(name: str, kernel: Kernel) -> dict[str, Any]:
    executed = counts(name)
    runs = [[count, len(list(same))] for count, same in itertools.groupby(executed)]
    return {"executed": runs}


# -- cycles -------------------------------------------------------------------------------------


def measured(names: list[str], condition: str) -> list[dict[str, Any]]:
    """What ncu measures of each launch of kernels, TIMES of each; AGAIN of each behind itself.

    Raises:
        MissingEnvironment: ncu is not here, or a launch fails.
        UserError: ncu measured other launches than there were.
    """
    with tempfile.TemporaryDirectory() as folder:
        report, launched = Path(folder) / "report", Path(folder) / "launched.json"
        entries = [_LAUNCHES[name].kernel for name in names]
        options = ("--metrics", ",".join(METRICS), *CONDITIONS[condition], *_only(entries))
        behind = condition == _BEHIND
        times = ("--behind", str(AGAIN)) if behind else ("--run", str(TIMES))
        _ncu(options, (*times, *names, str(launched)), report)
        rows = [row for row in _page(report, "raw") if row["ID"]]
        launches = [each for each in json.loads(launched.read_text()) if each[1] in entries]
    if [row["Kernel Name"] for row in rows] != [entry for _, entry, _ in launches]:
        raise UserError(f"ncu measured {len(rows)} launches, but there were {len(launches)}")
    return [
        {
            "kernel": name,
            "condition": condition,
            "grid": row.get("Grid Size", ""),
            "block": row.get("Block Size", ""),
            **{metric: float(row[metric].replace(",", "")) for metric in METRICS},
        }
        for (name, _, turn), row in zip(launches, rows, strict=True)
        if turn or not behind
    ]


def read_by_warps(names: list[str]) -> dict[str, Any]:
    """The cycles that warps read from their clocks, of each launch behind itself, without ncu."""
    if not names:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cycles.json"
        words = (sys.executable, "-m", __spec__.name, "--cycles", str(TIMES + 2), *names, str(file))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"kernels fail without ncu: {done.stderr[-1500:]}")
        found: dict[str, Any] = json.loads(file.read_text())
        return found


def _cycles(found: dict[str, Any], chosen: list[str]) -> None:
    """Add what is measured to the kernels of a file; a group that fails is left out, and said."""
    groups: dict[str, list[str]] = {}
    for name in chosen:
        groups.setdefault(name.split()[0], []).append(name)
    found["launches"], found["failed"] = [], []
    for group, names in groups.items():
        for condition in CONDITIONS:
            try:
                found["launches"] += measured(names, condition)
                print(group, condition, flush=True)
            except (MissingEnvironment, UserError, KeyError) as error:
                found["failed"].append([group, condition, str(error)])
                print(group, condition, error, flush=True)
    for name, read in read_by_warps(groups.get("one_cta", [])).items():
        found["kernels"][name]["warps"] = read


# -- children -----------------------------------------------------------------------------------


@contextlib.contextmanager
def _again(again: int, launched: Callable[[str, int], None]) -> Iterator[Any]:
    """A GPU on which each launch is made so many times more; each turn is told with its symbol."""
    kernels: dict[int, str] = {}
    prepare, enqueue = cuda.CudaKernel.prepare, cuda_prepared.PreparedLaunch.__call__

    def named(kernel: Any, *arguments: Any, **options: Any) -> Any:
        made = prepare(kernel, *arguments, **options)
        kernels[made.function] = kernel.name
        return made

    def repeated(launch: Any, *arguments: Any) -> None:
        for turn in range(1 + again):
            launched(kernels[launch.function], turn)
            enqueue(launch, *arguments)

    kept = patch.object(cuda.CudaKernel, "prepare", named)
    with gpu() as device, kept, patch.object(cuda_prepared.PreparedLaunch, "__call__", repeated):
        yield device


def _run(times: int, again: int, names: list[str], log: Path | None) -> None:
    """Launch kernels, each so many times, and each launch again; write which launches there were.

    Where a launch follows itself, what it computes is not compared: it may read what it wrote.
    """
    launched: list[tuple[str, str, int]] = []
    compared = contextlib.suppress(AssertionError) if again else contextlib.nullcontext()
    with _again(again, lambda symbol, turn: launched.append((name, symbol, turn))) as device:
        for name in names:
            for _ in range(times):
                with compared:
                    _LAUNCHES[name].launch(device)
    if log:
        log.write_text(json.dumps(launched))


def _read(times: int, names: list[str], file: Path) -> None:
    """Launch kernels, each so many times behind itself; write the cycles that their warps read.

    One whose result differs when it follows itself, since it reads what it wrote, has none.
    """
    found: dict[str, Any] = {}
    with _again(AGAIN, lambda symbol, turn: None) as device:
        for name in names:
            with contextlib.suppress(AssertionError):
                found[name] = [_LAUNCHES[name].launch(device).tolist() for _ in range(times)]
    file.write_text(json.dumps(found))


def _each(
    names: Iterable[str], found: dict[str, Any], measure: Callable[[str, Kernel], dict[str, Any]]
) -> None:
    for name in names:
        kernel = DEVELOPMENT[name]
        try:
            found["kernels"][name] = {"code": code_hash(kernel.words()), **measure(name, kernel)}
        except MissingEnvironment as error:
            print(name, error, flush=True)


def main(words: list[str]) -> int:
    """Launch kernels, or measure all and write the file."""
    if words[0] in ("--run", "--behind"):
        named = words[2:] if words[-1] in _LAUNCHES else words[2:-1]
        counts = (int(words[1]), 0) if words[0] == "--run" else (1, int(words[1]))
        _run(*counts, named, None if words[-1] in _LAUNCHES else Path(words[-1]))
        return 0
    if words[0] == "--cycles":
        _read(int(words[1]), words[2:-1], Path(words[-1]))
        return 0
    what, out, *names = words
    with gpu() as device:
        found: dict[str, Any] = {"environment": dict(device.environment()), "kernels": {}}
    if what == "counts":
        _each(names or DEVELOPMENT, found, _counted)
    else:
        _each(names or DEVELOPMENT, found, lambda name, kernel: {})
        _cycles(found, list(names or DEVELOPMENT))
    Path(out).write_text(json.dumps(found, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

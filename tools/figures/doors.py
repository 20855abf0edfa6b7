"""The doors of docs/doors.md: versions, scripts and broken twins, as tests/doors has them."""

from __future__ import annotations

import json
from collections import Counter

from lanemap.check.cupy.session import VERSION as CUPY
from lanemap.check.libcuda.packages import VERSIONS
from lanemap.check.run import NEWEST, OLDEST
from lanemap.check.tilelang import VERSION as TILELANG
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from tests.doors import pairs
from tools.doors import row_of
from tools.figures.words import ROOT

#: What `python benchmarks/driver_calls.py --write` measured.
_CALLS = ROOT / "benchmarks" / "driver_calls.json"
#: What `python benchmarks/environments.py --write` measured.
_SIZES = ROOT / "benchmarks" / "environments.json"
#: Programs of the driver API, each with its kernels.
_PROGRAMS = sorted((ROOT / "tests" / "check" / "libcuda" / "programs").glob("*.cu"))
#: Each door with the version that its scripts run with.
_DOORS = {
    "cupy": ("CuPy", f"{CUPY} (its names; CuPy is not needed)"),
    "triton": (
        "Triton without PyTorch",
        f"{'.'.join(map(str, OLDEST))} to {'.'.join(map(str, NEWEST))}",
    ),
    "tilelang": ("TileLang", f"{TILELANG} (slow tests)"),
    "cuda_core": ("cuda.core", f"{VERSIONS['cuda.core'][1]} (slow tests)"),
    "cuda_bindings": ("cuda-bindings", f"{VERSIONS['cuda.bindings'][1]} (slow tests)"),
    "nvcc": ("nvcc's programs", "CUDA 13"),
    "warp": ("Warp", f"{VERSIONS['warp'][1]} (slow tests)"),
    "numba": ("numba-cuda", f"{VERSIONS['numba_cuda'][1]} (slow tests)"),
}


def doors(_: str) -> str:
    """Every door with what its tests run, as a table."""
    rows = [
        "| door | version | scripts, right and clean | broken twins, found | their faults "
        "| right on a GPU |",
        "|---" * 6 + "|",
    ]
    for folder, (name, version) in _DOORS.items():
        scripts = pairs.scripts(folder)
        kinds = Counter(twin.kind for script in scripts for twin in pairs.twins(script))
        faults = ", ".join(
            f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda one: -one[1])
        )
        rows.append(
            f"| {name} | {version} | {len(scripts)} | {kinds.total()} | {faults} "
            f"| {_on_gpu(folder)} |"
        )
    return "\n".join(rows) + "\n"


def in_ci(_: str) -> str:
    """Say how many scripts and programs run without a door's own environment, and how many do."""
    slow = {door for door, (_, version) in _DOORS.items() if "slow tests" in version}
    counts = Counter({door: len(pairs.scripts(door)) for door in _DOORS})
    quick = sum(count for door, count in counts.items() if door not in slow)
    programs = len(_PROGRAMS)
    return (
        f"CI runs {quick + programs} scripts and programs with their twins: {counts['cupy']} of "
        f"CuPy, {counts['triton']} of Triton, {counts['nvcc']} of nvcc's, and {programs} programs "
        f"in C on the driver API (tests/check/libcuda). The {counts.total() - quick} others are "
        f"slow tests, whose packages need environments of their own: `make doors`, `make "
        f"tilelang`.\n"
    )


def _on_gpu(door: str) -> str:
    """Say how many scripts were right on a GPU, by the library itself, as the door's row has it."""
    path = row_of(door)
    if not path.exists():
        return "not run"
    row = read_record(path)
    assert row.environment
    known = row.findings["scripts"]
    texts = {each.stem: source_hash(each.read_text()) for each in pairs.scripts(door)}
    right = [
        name
        for name, text in texts.items()
        if name in known and known[name]["text"] == text and known[name]["why"] is None
    ]
    versions = ", ".join(f"{name} {number}" for name, number in row.findings["packages"].items())
    return f"{len(right)} of {len(texts)} ({row.environment['gpu']}; {versions})"


def driver_calls(_: str) -> str:
    """What calls of libcuda.so.1 cost, in microseconds, as a table."""
    whole = json.loads(_CALLS.read_text())
    machine = whole["machine"]
    rows = ["| call | in process | under `lanemap exec` |", "|---|---|---|"]
    for call, each in whole["calls"].items():
        told = [
            "" if value is None else f"{value:.{0 if value >= 10 else 3}f}"
            for value in (each["in_process"], each["exec"])
        ]
        rows.append(f"| {call} | {told[0]} | {told[1]} |")
    about = f"{machine['processor']}, Python {machine['python']}, load {machine['load']} before."
    return "\n".join([*rows, "", about]) + "\n"


def environment_sizes(_: str) -> str:
    """Say how large the environments of some targets of make are."""
    sizes = json.loads(_SIZES.read_text()).items()
    each = ", ".join(f"`make {name}` {size / 1e9:.1f}" for name, size in sizes)
    return f"GB of the environments that make prepares, with PyTorch's CPU build: {each}.\n"

"""The doors of docs/doors.md: versions, scripts and broken twins, as tests/doors has them."""

from __future__ import annotations

from collections import Counter

from lanemap.check.cupy.session import VERSION as CUPY
from lanemap.check.driver_api import VERSIONS
from lanemap.check.run import NEWEST, OLDEST
from lanemap.check.tilelang import VERSION as TILELANG
from tests.doors import pairs

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
    "numba": ("numba-cuda", f"{VERSIONS['numba_cuda'][1]} (slow tests)"),
}


def doors(_: str) -> str:
    """Every door with what its tests run, as a table."""
    rows = [
        "| door | version | scripts, right and clean | broken twins, found | their faults |",
        "|---" * 5 + "|",
    ]
    for folder, (name, version) in _DOORS.items():
        scripts = pairs.scripts(folder)
        kinds = Counter(twin.kind for script in scripts for twin in pairs.twins(script))
        faults = ", ".join(
            f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda one: -one[1])
        )
        rows.append(f"| {name} | {version} | {len(scripts)} | {kinds.total()} | {faults} |")
    return "\n".join(rows) + "\n"

"""What NVIDIA's nvMatmulHeuristics says of the held-out matrix products, beside our predictions.

    pip install nvidia-matmul-heuristics; python -m tools.matmul_heuristics

adds its cycles to tests/timing/predictions.json. Of each product it estimates the time of its first
configuration with the kernel's tile, or else of the one that it recommends. Seconds are turned into
cycles by the clock of an H200 that does little else.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from lanemap.errors import MissingEnvironment
from lanemap.records.files import dumps
from lanemap.timing.model.clock import clocks
from lanemap.timing.model.rows import measured
from tests.emulator.ptx import triton_cases
from tests.timing.held_out import CLASSES, DRAWN, GEMM, PAIR
from tools.predictions import PREDICTIONS

NAME = "nvidia-matmul-heuristics"
#: Types of A, of the computation and of the result, by how kernels' names begin.
_TYPES = {
    "product_": "HSH", "product, ": "HSH", "matmul_bf16": "TSS", "matmul_i8": "BII",
    "matmul_e4m3": "QSS", "matmul_imprecise_e4m3": "QSS", "matmul_": "HSH", "ss_gemm": "TST",
    "ts_gemm": "TST",
}  # fmt: skip
#: The kernels of the pairs, by what they change.
_CHANGED = {
    "base": "product_128_128", "stages 2": "product_128_128_stages_2",
    "stages 4": "product_128_128_stages_4", "warps 8": "product_128_128_warps_8",
    "N 256": "product_128_256", "pitch + 16 B": "product_128_128",
}  # fmt: skip
_CONFIGURATIONS = 64


def _tile(name: str) -> tuple[int, int] | None:
    """The tile of a CTA of a kernel in Triton."""
    first = name.split(", ")[1] if name.startswith("product, ") else ""
    kernel = _CHANGED.get(first) or name.split()[0]
    folder = DRAWN if kernel.startswith("product") else triton_cases.HERE
    if not (folder / f"{kernel}.sm_90a.json").exists():
        return None
    constants = triton_cases.Compiled(kernel, "sm_90a", folder).constants
    return constants["M"], constants["N"]


def main() -> int:
    """Add what it says."""
    try:
        import nvMatmulHeuristics as heuristics
    except ImportError as error:
        raise MissingEnvironment(f"install {NAME} ({error})") from error
    own: Any = heuristics.NvMatmulHeuristicsInterfaceEx(
        backend=heuristics.NvMatmulHeuristicsTarget.GENERIC,
        gpu=heuristics.NvMatmulHeuristicsNvidiaGpu.H200_SXM,
    )
    layout = heuristics.NvMatmulHeuristicsMatmulLayout.NT_ROW_MAJOR
    mhz = clocks(measured())[0].middle
    kept = json.loads(PREDICTIONS.read_text())
    for name, kind in CLASSES.items():
        short = name.removeprefix("held_out ")
        size = re.search(r"(\d+)x(\d+)x(\d+)(?:, rows|$)", short)
        if kind not in (GEMM, PAIR) or not size or name not in kept or "tf32" in short:
            continue  # TF32 has no name among its types
        types = next(own for start, own in _TYPES.items() if short.startswith(start))
        problem = own.makeNvMatmulHeuristicsProblem(*map(int, size.groups()), layout)
        found = own.get(problem, _CONFIGURATIONS, precision=types)
        tile = _tile(short)
        alike = [
            each for each in found
            if (each["kernel"].cta_tile_m, each["kernel"].cta_tile_n) == tile
        ]  # fmt: skip
        seconds = (alike or found)[0]["runtime"]
        if seconds:
            kept[name]["others"] = {NAME: round(seconds * mhz * 1e6)}
            print(short, alike[0]["kernel"] if alike else "recommended", kept[name]["others"][NAME])
    PREDICTIONS.write_text(dumps(kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())

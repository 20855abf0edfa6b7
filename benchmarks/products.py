"""What compilers' matrix products take on the emulator, beside what is asked.

    python benchmarks/products.py [--size N] [--samples N] [--json]

A product of size x size x size in bf16 (1024 by default) takes the time of the clock with hazards
on, on as many threads as LANEMAP_THREADS says or the machine has, everything compiled and in the
object cache. The kernels are those of Triton for sm_90a (tests/emulator/ptx/triton), with wgmma
fed by cp.async and by TMA, and what NVRTC compiles of tests/corpus/cuda/matrices.cu, with mma.sync
fed by cp.async and wgmma fed by TMA. Results are compared with NumPy's. The last column is the
figure over that of a product of the same size by NumPy in f32, taken alternately.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from machine import describe

import lanemap
from lanemap.devices import Device

TESTS = Path(__file__).resolve().parents[1] / "tests"
TRITON = TESTS / "emulator" / "ptx" / "triton"
BF16 = ml_dtypes.bfloat16
Launch = Callable[[], None]
#: Kernel: seconds that are asked of 1024^3 on two cores.
ASKED = {"triton wgmma, cp.async": 0.6, "nvrtc mma.sync, cp.async": 1.5}


def _triton(device: Device, name: str, a: Any, b: Any, o: Any, size: int) -> Launch:
    about = json.loads((TRITON / f"{name}.sm_90a.json").read_text())
    module = device.load(TRITON / f"{name}.sm_90a.ptx")
    tile = about["constants"]
    scratch = device.zeros(16, np.uint8)

    def described(x: Any, which: int) -> list[Any]:
        made = device.tensor_map(
            x, about["tensor_maps"][which]["block_size"], dtype="float16", swizzle="128b"
        )
        return [made, *(np.int32(n) for n in x.shape), np.int64(x.shape[1]), np.int64(1)]

    given: list[Any] = [a, b, o]
    if "tensor_maps" in about:
        given = [each for i, x in enumerate(given) for each in described(x, i)]
    sizes = {"m": size, "n": size, "k": size}
    given += [np.int32(sizes[key]) for key in about["arguments"] if key in sizes]
    grid = (size // tile["M"], size // tile["N"], 1)
    return lambda: module[about["entry"]](
        grid, (about["threads"], 1, 1), [*given, scratch, np.uint64(0)],
        shared_bytes=about["shared_bytes"],
    )  # fmt: skip


def _nvrtc(device: Device, entry: str, a: Any, b: Any, o: Any, size: int) -> Launch:
    module = device.compile(TESTS / "corpus" / "cuda" / "matrices.cu")
    if entry == "mma_ring":
        sizes = [np.int32(size)] * 3
        grid, block = (size // 64, size // 64, 1), (128, 1, 1)
        return lambda: module[entry](grid, block, [a, b, o, *sizes])
    maps = [
        device.tensor_map(x, box, swizzle="128b")
        for x, box in ((a, (64, 64)), (b, (128, 64)), (o, (64, 64)))
    ]
    grid, block = (size // 128, size // 64, 1), (160, 1, 1)
    shared = 4 * (64 + 128) * 128 + 64 * 256 + 1024
    return lambda: module[entry](grid, block, [*maps, np.int32(size)], shared_bytes=shared)


#: Name: how it is launched, kernel, type of a and b, type of the result.
CASES: dict[str, tuple[Callable[..., Launch], str, Any, Any]] = {
    "triton wgmma, cp.async": (_triton, "matmul_bf16", BF16, BF16),
    "triton wgmma, TMA (fp16)": (_triton, "matmul_described", np.float16, np.float16),
    "nvrtc wgmma, TMA": (_nvrtc, "tma_shared", BF16, BF16),
    "nvrtc mma.sync, cp.async": (_nvrtc, "mma_ring", BF16, np.float32),
}


def measure(name: str, size: int, samples: int) -> dict[str, Any]:
    """Launch one kernel and NumPy's product in turn; times are medians in seconds.

    Raises:
        RuntimeError: the kernel's result is wrong.
    """
    make, kernel, kind, result = CASES[name]
    rng = np.random.default_rng(size)
    x, y = (rng.integers(-2, 3, (size, size)).astype(np.float32) for _ in range(2))
    device = lanemap.open_device("sm_90a", "emulator")
    o = device.zeros((size, size), result)
    a, b = device.array(x.astype(kind)), device.array(y.astype(kind))
    launch = make(device, kernel, a, b, o, size)
    launch()
    if not np.array_equal(o.get().astype(np.float32), (x @ y.T).astype(result).astype(np.float32)):
        raise RuntimeError(f"{name}: the kernel's result is wrong")
    ours, numpy = [], []
    for _ in range(samples):
        start = time.perf_counter()
        launch()
        middle = time.perf_counter()
        _ = x @ y.T
        ours.append(middle - start)
        numpy.append(time.perf_counter() - middle)
    seconds, beside = statistics.median(ours), statistics.median(numpy)
    return {
        "name": name, "size": size, "seconds": seconds, "numpy_seconds": beside,
        "ratio": seconds / beside, "asked_seconds": ASKED.get(name) if size == 1024 else None,
    }  # fmt: skip


def main() -> None:
    """Measure all, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(name, options.size, options.samples) for name in CASES]
    if options.json:
        print(json.dumps({"machine": describe(), "rows": rows}, indent=1))
        return
    print(describe())
    for row in rows:
        asked = f"  (asked: {row['asked_seconds']} s)" if row["asked_seconds"] else ""
        print(f"{row['name']:28} {row['seconds']:7.3f} s  {row['ratio']:6.0f} x NumPy{asked}")


if __name__ == "__main__":
    main()

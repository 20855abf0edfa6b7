"""The emulator's time for compilers' products and attention, next to the required time.

    python benchmarks/products.py [NAME ..] [--size N] [--samples N] [--cold] [--json]

A product of size x size x size (1024 by default), or attention of one head over a sequence of that
size with 128 numbers a row, takes the time of the clock with hazards on, on as many threads as
LANEMAP_THREADS says or the machine has, everything compiled and in the object cache. With --cold,
a process of its own also loads and launches each kernel once with an empty cache.

The kernels are those of Triton for sm_90a and sm_100a (tests/emulator/ptx/triton), and what NVRTC
compiles of tests/corpus/cuda/matrices.cu, with mma.sync fed by cp.async and wgmma fed by TMA.
Results are compared with NumPy's. The second column is the time over that of a product (of
attention) of the same size by NumPy in f32, taken alternately.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from machine import describe

import lanemap
from lanemap.devices import Device
from tests.emulator.ptx import triton_cases as triton

MATRICES = Path(__file__).resolve().parents[1] / "tests" / "corpus" / "cuda" / "matrices.cu"
WIDTH = 128  # numbers in a row of attention


class Work(NamedTuple):
    """A launch, whether its result is right, and the same by NumPy."""

    launch: Callable[[], None]
    is_right: Callable[[], bool]
    numpy: Callable[[], Any]


def _inputs(size: int, kinds: tuple[Any, Any]) -> tuple[Any, ...]:
    rng = np.random.default_rng(size)
    x, y = (rng.integers(-2, 3, (size, size)).astype(np.float32) for _ in range(2))
    return x, y, x.astype(kinds[0]), y.astype(kinds[0])


def _equal(o: Any, expected: Any) -> bool:
    wanted = expected.astype(o.dtype).astype(np.float32)
    return bool(np.array_equal(o.get().astype(np.float32), wanted))


def triton_product(device: Device, name: str, size: int, kind: Any, result: Any) -> Work:
    """A product of Triton's, by pointers or through tensor maps."""
    kernel = triton.Compiled(name, device.target)
    x, y, a, b = _inputs(size, (kind, result))
    o = device.zeros((size, size), result)
    arrays = {"a": device.array(a), "b": device.array(b), "o": o}
    given = {f"{key}_ptr": value for key, value in arrays.items()}
    if "a" in kernel.names:
        given = {key: kernel.described(device, key, value) for key, value in arrays.items()}
    rows, columns, _ = kernel.tiles(size, size)
    persistent = "a" in kernel.names and "m" in kernel.names
    grid = (rows * columns, 1, 1) if persistent else (rows, columns, 1)
    launch = kernel.prepare(device, grid, m=size, n=size, k=size, **given)
    return Work(launch, lambda: _equal(o, x @ y.T), lambda: x @ y.T)


def triton_scaled(device: Device, name: str, size: int) -> Work:
    """A block-scaled product of Triton's."""
    kernel = triton.Compiled(name, device.target)
    launch, o, a, b = triton.prepare_scaled(
        device, kernel, np.random.default_rng(size), size, size, size
    )
    x, y = a.astype(np.float32), b.astype(np.float32)
    return Work(launch, lambda: triton.agrees(o.get(), a, b, True), lambda: x @ y.T)


def triton_attention(device: Device, name: str, size: int, kind: Any, heads: int = 1) -> Work:
    """Attention of Triton's; NumPy's time is of one head."""
    kernel = triton.Compiled(name, device.target)
    launch, is_right, (q, k, v) = triton.prepare_attention(
        device, kernel, np.random.default_rng(size), kind, heads, size
    )
    q, k, v = (x[0].astype(np.float32) for x in (q, k, v))

    def numpy() -> Any:
        s = q @ k.T
        p = np.exp(s - s.max(axis=1, keepdims=True))
        return p @ v / p.sum(axis=1, keepdims=True)

    return Work(launch, is_right, numpy)


def nvrtc_product(device: Device, entry: str, size: int, kind: Any, result: Any) -> Work:
    """A product that NVRTC compiles."""
    module = device.compile(MATRICES)
    x, y, *given = _inputs(size, (kind, result))
    a, b = (device.array(each) for each in given)
    o = device.zeros((size, size), result)
    if entry == "mma_ring":
        arguments: list[Any] = [a, b, o, *[np.int32(size)] * 3]
        grid, block, shared = (size // 64, size // 64, 1), (128, 1, 1), 0
    else:
        arguments = [
            device.tensor_map(each, box, swizzle="128b")
            for each, box in ((a, (64, 64)), (b, (128, 64)), (o, (64, 64)))
        ]
        arguments += [np.int32(size)]
        grid, block = (size // 128, size // 64, 1), (160, 1, 1)
        shared = 4 * (64 + 128) * 128 + 64 * 256 + 1024
    return Work(
        lambda: module[entry](grid, block, arguments, shared_bytes=shared),
        lambda: _equal(o, x @ y.T),
        lambda: x @ y.T,
    )


class Case(NamedTuple):
    """How a kernel's work is made, its target, and the seconds asked of size 1024 on two cores."""

    make: Callable[..., Work]
    target: str
    kernel: str
    types: tuple[Any, ...]
    asked: float | None = None


BF16, F16, F32 = triton.BF16, np.float16, np.float32
CASES: dict[str, Case] = {
    "triton wgmma, cp.async": Case(triton_product, "sm_90a", "matmul_bf16", (BF16, BF16), 0.6),
    "triton wgmma, TMA (fp16)": Case(triton_product, "sm_90a", "matmul_described", (F16, F16)),
    "nvrtc wgmma, TMA": Case(nvrtc_product, "sm_90a", "tma_shared", (BF16, BF16)),
    "nvrtc mma.sync, cp.async": Case(nvrtc_product, "sm_90a", "mma_ring", (BF16, F32), 1.5),
    "triton tcgen05, cp.async": Case(triton_product, "sm_100a", "matmul_bf16", (BF16, BF16), 0.6),
    "triton tcgen05, TMA (fp16)": Case(triton_product, "sm_100a", "matmul_described", (F16, F16)),
    "triton tcgen05, warp roles (fp16)": Case(
        triton_product, "sm_100a", "matmul_specialized_128", (F16, F16)
    ),
    "triton nvfp4, TMA": Case(triton_scaled, "sm_100a", "matmul_described_nvfp4", (), 0.6),
    "triton nvfp4, cp.async": Case(triton_scaled, "sm_100a", "matmul_nvfp4", ()),
    "triton mxfp8, TMA": Case(triton_scaled, "sm_100a", "matmul_described_mxfp8", ()),
    "triton attention, wgmma": Case(triton_attention, "sm_90a", "attention_bf16_128", (BF16,)),
    "triton attention, tcgen05": Case(
        triton_attention, "sm_100a", "attention_bf16_128", (BF16,), 0.8
    ),
}


def measure(name: str, size: int, samples: int) -> dict[str, Any]:
    """Launch one kernel and NumPy's in turn; times are medians in seconds.

    `first_seconds` is what it took to load the kernel and launch it for the first time.

    Raises:
        RuntimeError: the kernel's result is wrong.
    """
    case = CASES[name]
    device = lanemap.open_device(case.target, "emulator")
    begin = time.perf_counter()
    work = case.make(device, case.kernel, size, *case.types)
    made = time.perf_counter()
    work.launch()
    first = time.perf_counter() - made
    if not work.is_right():
        raise RuntimeError(f"{name}: the kernel's result is wrong")
    ours, numpy = [], []
    for _ in range(samples):
        start = time.perf_counter()
        work.launch()
        middle = time.perf_counter()
        work.numpy()
        ours.append(middle - start)
        numpy.append(time.perf_counter() - middle)
    seconds, beside = statistics.median(ours or [first]), statistics.median(numpy or [first])
    return {
        "name": name,
        "size": size,
        "seconds": seconds,
        "numpy_seconds": beside,
        "ratio": seconds / beside,
        "asked_seconds": case.asked if size == 1024 else None,
        "first_seconds": first + made - begin,
    }


def cold(name: str, size: int) -> float:
    """Seconds to load and launch a kernel once in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, name, "--size", str(size), "--samples", "0", "--json"]
        done = subprocess.run(
            command,
            env=os.environ | {"LANEMAP_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(json.loads(done.stdout)["rows"][0]["first_seconds"])


def main() -> None:
    """Measure all or the named, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*CASES, []], metavar="NAME")
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(name, options.size, options.samples) for name in options.names or CASES]
    for row in rows if options.cold else []:
        row["cold_seconds"] = cold(row["name"], options.size)
    if options.json:
        print(json.dumps({"machine": describe(), "rows": rows}, indent=1))
        return
    print(describe())
    for row in rows:
        asked = f"  (asked: {row['asked_seconds']} s)" if row["asked_seconds"] else ""
        first = f"  cold {row['cold_seconds']:.1f} s" if "cold_seconds" in row else ""
        times = f"{row['seconds']:7.3f} s  {row['ratio']:6.0f} x NumPy"
        print(f"{row['name']:34} {times}{first}{asked}")


if __name__ == "__main__":
    main()

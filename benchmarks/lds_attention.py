"""How long the emulator takes on gfx950: FP8 attention of 1024 keys, FP8 products of Triton.

    python benchmarks/lds_attention.py [--repeats R] [--json]

`attention`: one head, 1024 queries and keys, head dimension 128, by kernels/lds_attention.
`triton`: C = A @ B.T of 1024 x 1024 x 1024 e4m3 elements, by a kernel that Triton compiles for
gfx950; left out where Triton is not installed. Hazards on, all cores. `first` is the first launch
of the process, which finds its code in the object cache unless this is the first run; `again` is
the best launch after it. What compilers take is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from machine import describe

import lanemap
import lanemap.benching
from lanemap_kernels.lds_attention.paths import DEFAULT, PATHS
from lanemap_kernels.lds_attention.source import assembly

E4M3 = ml_dtypes.float8_e4m3fn
SIZE, HEAD_DIM = 1024, 128
BLOCK, DEPTH, WARPS = 128, 128, 4


def timed(launch: Callable[[], Any], repeats: int) -> dict[str, float]:
    """Seconds of the first launch and of the best one after it."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        launch()
        times.append(time.perf_counter() - start)
    return {"first": times[0], "again": min(times[1:])}


def attention(repeats: int) -> dict[str, float]:
    """Attention of one head."""
    draw = np.random.default_rng(0)
    q, k, v = (draw.standard_normal((1, SIZE, 1, HEAD_DIM)).astype(E4M3) for _ in range(3))
    device, kernel = lanemap.open_device("gfx950", "emulator"), lanemap.kernel("lds_attention")
    assembly(PATHS[DEFAULT], HEAD_DIM)  # the text is kept
    return timed(lambda: kernel(q, k, v, device=device), repeats)


def product_text() -> tuple[str, dict[str, Any]]:
    """The assembly of a product by Triton, and its metadata."""
    import triton
    from fp8_product import product
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    types = {"a": "*fp8e4nv", "b": "*fp8e4nv", "c": "*fp32"}
    constants = {"SIZE": SIZE, "BLOCK": BLOCK, "DEPTH": DEPTH}
    source = ASTSource(
        product,
        {**types, **dict.fromkeys(constants, "constexpr")},
        constants,
        {(place,): [["tt.divisibility", 16]] for place in range(3)},
    )
    made = triton.compile(
        source, target=GPUTarget("hip", "gfx950", 64), options={"num_warps": WARPS}
    )
    return made.asm["amdgcn"], made.metadata._asdict()


def triton_product(repeats: int) -> dict[str, float]:
    """A product of Triton, which is checked first."""
    text, metadata = product_text()
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-2, 3, (SIZE, SIZE)).astype(E4M3) for _ in range(2))
    device = lanemap.open_device("gfx950", "emulator")
    arrays = device.array(a), device.array(b), device.zeros((SIZE, SIZE), np.float32)
    kernel = device.load(text)[metadata["name"]]
    hidden = (np.uint64(0),) * (len(kernel.parameters) - len(arrays))
    grid = (SIZE // BLOCK, SIZE // BLOCK, 1)

    def launch() -> None:
        kernel(grid, (64 * WARPS, 1, 1), (*arrays, *hidden), metadata["shared"])

    found = timed(launch, repeats)
    exact = a.astype(np.float32) @ b.astype(np.float32).T
    assert (arrays[2].get() == exact).all()
    return found


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {"attention": attention(given.repeats)}
    if importlib.util.find_spec("triton") is not None:
        found["triton"] = triton_product(given.repeats)
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, times in found.items():
        print(f"{name:10} first {times['first']:.3f} s, again {times['again']:.3f} s")


if __name__ == "__main__":
    main()

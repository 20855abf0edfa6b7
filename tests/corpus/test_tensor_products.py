"""Products by tcgen05 through the wrappers of libcu++, which NVIDIA wrote: against NumPy, clean.

The kernels of cuda/tensor_products.cu hold every dense kind, 64 and 128 rows, .ws with 32, 64 and
128, A in tensor memory, a pair of CTAs and two kinds of block scales. They have every fence, so
they are clean under strict as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.devices import Device, Module
from tests.emulator.ptx.cute_dsl_cases import in_blocks, packed, raw

SOURCE = Path(__file__).resolve().parent / "cuda" / "tensor_products.cu"
BF16, E4M3, E5M2 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
E2M1, E8M0 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu
HALF, SINGLE = np.float16, np.float32
TILE = 128  # bytes along k


@pytest.fixture(scope="module", params=[False, True], ids=["default", "strict"])
def opened(request: pytest.FixtureRequest) -> tuple[Device, Module]:
    device = lanemap.open_device("sm_100a", "emulator", strict=request.param)
    return device, device.compile(SOURCE)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(29)


def numbers(rng: Any, dtype: Any, *shape: int) -> Any:
    """Small integers, whose products and sums are exact."""
    low = 0 if dtype is np.uint8 else -4
    return rng.integers(low, 5, shape).astype(dtype)


def mapped(device: Device, x: Any, rows: int) -> Any:
    """The map of a matrix in boxes of so many rows, 128 bytes wide."""
    box = (rows, TILE // x.dtype.itemsize)
    return device.tensor_map(device.array(raw(x)), box, swizzle="128b")


@pytest.mark.parametrize(
    ("entry", "a", "b", "m", "n"),
    [
        ("half_128", HALF, HALF, 128, 64),
        ("brain_64", BF16, BF16, 64, 128),
        ("tf32_64", SINGLE, SINGLE, 64, 32),
        ("e4m3_e5m2", E4M3, E5M2, 128, 96),
        ("bytes_128", np.int8, np.uint8, 128, 64),
        ("half_ws_32", HALF, HALF, 32, 64),
        ("bytes_ws_64", np.int8, np.int8, 64, 128),
        ("tf32_ws_128", SINGLE, SINGLE, 128, 64),
    ],
)
def test_product(opened: Any, rng: Any, entry: str, a: Any, b: Any, m: int, n: int) -> None:
    """Of three tiles along k."""
    device, module = opened
    k = 3 * TILE // np.dtype(a).itemsize
    x, y = numbers(rng, a, m, k), numbers(rng, b, n, k)
    c = device.array(np.full((m, n), 99, np.int32 if "bytes" in entry else SINGLE))
    args = (mapped(device, x, m), mapped(device, y, n), c, np.uint32(3))
    module[entry](1, 128, args, shared_bytes=(m + n) * TILE)
    assert np.array_equal(c.get(), x.astype(np.float64) @ y.astype(np.float64).T)


def test_a_in_tensor_memory(opened: Any, rng: Any) -> None:
    device, module = opened
    a, b = numbers(rng, HALF, 128, 64), numbers(rng, HALF, 64, 64)
    c = device.array(np.full((128, 64), 99, SINGLE))
    args = (device.array(a), mapped(device, b, 64), c)
    module["half_by_way_of_tensor_memory"](1, 128, args, shared_bytes=64 * TILE)
    assert np.array_equal(c.get(), a.astype(np.float64) @ b.astype(np.float64).T)


def test_a_pair_of_ctas(opened: Any, rng: Any) -> None:
    device, module = opened
    a, b = numbers(rng, HALF, 256, 128), numbers(rng, HALF, 64, 128)
    c = device.array(np.full((256, 64), 99, SINGLE))
    args = (mapped(device, a, 128), mapped(device, b, 32), c, np.uint32(2))
    module["half_by_a_pair"](2, 128, args, shared_bytes=160 * TILE, cluster=(2, 1, 1))
    assert np.array_equal(c.get(), a.astype(np.float64) @ b.astype(np.float64).T)


@pytest.mark.parametrize(
    ("entry", "dtype", "factor", "vector"), [("mxfp8", E4M3, E8M0, 32), ("nvfp4", E2M1, E4M3, 16)]
)
def test_block_scales(
    opened: Any, rng: Any, entry: str, dtype: Any, factor: Any, vector: int
) -> None:
    device, module = opened
    k = TILE * 2 if dtype is E2M1 else TILE
    maps, factors, exact = [], [], []
    for _ in "ab":
        if dtype is E2M1:
            x = rng.integers(0, 16, (128, k)).astype(np.uint8).view(E2M1)
            made = device.tensor_map(device.array(packed(x)), (128, TILE), swizzle="128b")
        else:
            x = numbers(rng, dtype, 128, k)
            made = mapped(device, x, 128)
        scales = rng.choice([0.5, 1.0, 2.0, 4.0], (128, k // vector)).astype(factor)
        maps.append(made)
        factors.append(device.array(in_blocks(scales)))
        exact.append(x.astype(np.float64) * np.repeat(scales.astype(np.float64), vector, axis=1))
    c = device.array(np.full((128, 128), 99, SINGLE))
    blocks = k // vector // 4
    shared_bytes = 2 * (128 * TILE + 512 * blocks)
    module[entry](1, 128, (*maps, *factors, c), shared_bytes=shared_bytes)
    assert np.array_equal(c.get(), exact[0] @ exact[1].T)

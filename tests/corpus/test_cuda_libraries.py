"""CUB, libcu++ and cooperative groups, which NVIDIA wrote, compiled by NVRTC: against NumPy, clean.

The kernels of cuda/blocks.cu only call them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices import Device, Module
from tests.sampled import sampled

SOURCE = Path(__file__).resolve().parent / "cuda" / "blocks.cu"
THREADS, ITEMS = 128, 4
COUNT = THREADS * ITEMS


@pytest.fixture(scope="module", params=sampled(["sm_90a", "sm_100a"], 2))
def opened(request: pytest.FixtureRequest) -> tuple[Device, Module]:
    device = lanemap.open_device(request.param, "emulator")
    return device, device.compile(SOURCE)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def run(
    opened: tuple[Device, Module], entry: str, *args: Any, grid: int = 1, threads: int = THREADS
) -> list[Any]:
    """Launch; returns the arrays that follow the first."""
    device, module = opened
    placed = [device.array(a) if isinstance(a, np.ndarray) else a for a in args]
    module[entry](grid, threads, placed)
    return [to.get() for to, a in zip(placed[1:], args[1:], strict=True) if hasattr(to, "get")]


def out(count: int = COUNT, dtype: Any = np.int32) -> Any:
    return np.zeros(count, dtype)


def test_radix_sort(opened: Any, rng: Any) -> None:
    x = rng.integers(0, 2**32, 3 * COUNT, dtype=np.uint32)
    (y,) = run(opened, "radix_sort", x, out(3 * COUNT, np.uint32), grid=3)
    assert np.array_equal(y.reshape(3, COUNT), np.sort(x.reshape(3, COUNT), axis=1))


def test_radix_sort_of_pairs(opened: Any, rng: Any) -> None:
    x = rng.normal(size=COUNT).astype(np.float32)
    x[7], x[9] = np.inf, -np.inf
    keys, order = run(opened, "radix_sort_pairs", x, out(dtype=np.float32), out())
    assert np.array_equal(keys, np.sort(x)[::-1]) and np.array_equal(x[order], keys)


def test_merge_sort(opened: Any, rng: Any) -> None:
    x = rng.integers(-(2**62), 2**62, COUNT)
    (y,) = run(opened, "merge_sort", x, out(dtype=np.int64))
    assert np.array_equal(y, np.sort(x))


@pytest.mark.parametrize("entry", ["scan_raking", "scan_warps"])
def test_scan(opened: Any, rng: Any, entry: str) -> None:
    x = rng.integers(-(2**31), 2**31, COUNT, dtype=np.int32)
    y, total = run(opened, entry, x, out(), out(1))
    sums = np.cumsum(x, dtype=np.int32)
    assert np.array_equal(y, sums - x) and total[0] == sums[-1]


@pytest.mark.parametrize("entry", ["reduce_raking", "reduce_warps"])
def test_reduce(opened: Any, rng: Any, entry: str) -> None:
    x = rng.integers(-(2**20), 2**20, COUNT, dtype=np.int32)
    (y,) = run(opened, entry, x, out(2))
    assert y.tolist() == [x.sum(), x[::ITEMS][:100].sum()]


def test_histograms(opened: Any, rng: Any) -> None:
    x = rng.integers(0, 256, COUNT, dtype=np.uint8)
    expected = np.bincount(x, minlength=256)
    for counts in run(opened, "histogram", x, out(256), out(256)):
        assert np.array_equal(counts, expected)


def test_neighbours(opened: Any, rng: Any) -> None:
    x = rng.integers(0, 3, COUNT, dtype=np.int32)
    heads, minus = run(opened, "neighbours", x, out(), out())
    differences = np.diff(x)
    assert np.array_equal(heads, np.concatenate(([1], differences != 0)))
    assert np.array_equal(minus, np.concatenate((x[:1], differences)))


def test_exchange(opened: Any) -> None:
    x = np.arange(COUNT, dtype=np.int32)
    (y,) = run(opened, "exchange", x, out())
    assert np.array_equal(y, x.reshape(ITEMS, THREADS).T.ravel())


def test_warps(opened: Any, rng: Any) -> None:
    x = rng.integers(-1000, 1000, 2 * THREADS, dtype=np.int32)
    sums, largest, ordered = run(opened, "warps", x, out(THREADS), out(8), out(2 * THREADS))
    first = x[:THREADS]
    assert np.array_equal(sums, np.cumsum(first.reshape(-1, 32), axis=1).ravel())
    assert np.array_equal(largest, first.reshape(-1, 16).max(1))
    assert np.array_equal(ordered, np.sort(x.reshape(-1, 64), axis=1).ravel())


def test_cooperative_groups(opened: Any, rng: Any) -> None:
    x = rng.integers(0, 1000, THREADS, dtype=np.int32)
    tiles, scans, even, labels = run(
        opened, "groups", x, out(THREADS // 8), out(THREADS), out(THREADS), out(THREADS)
    )
    eights = x.reshape(-1, 8)
    assert np.array_equal(tiles, eights.sum(1))
    assert np.array_equal(scans, (np.cumsum(eights, axis=1) - eights).ravel())
    for warp in range(THREADS // 32):
        part = slice(32 * warp, 32 * warp + 32)
        is_even = x[part] % 2 == 0
        rank = np.cumsum(is_even) - 1
        assert np.array_equal(even[part], np.where(is_even, is_even.sum() * 100 + rank, 0))
        for label in range(3):
            same = x[part] % 3 == label
            assert np.all(labels[part][same] == x[part][same].max(initial=0))


def test_barrier_of_libcudacxx(opened: Any) -> None:
    device, module = opened
    y, count = device.zeros(4 * THREADS, np.int32), device.zeros(1, np.int32)
    module["barrier"](1, THREADS, (y, count))
    expected = np.arange(THREADS)[::-1] + np.arange(4)[:, None]
    assert np.array_equal(y.get().reshape(4, THREADS), expected) and count.get()[0] == THREADS


def test_histogram_in_the_shared_memory_of_a_cluster(opened: Any, rng: Any) -> None:
    x = rng.integers(0, 256, 4096, dtype=np.int32)
    (y,) = run(opened, "cluster_histogram", x, np.int32(4096), out(256), grid=4)
    assert np.array_equal(y, np.bincount(x, minlength=256))

"""Matrix products and asynchronous copies, compiled by NVRTC, against NumPy.

cuda/matrices.cu has inline PTX and wmma, cuda/pipelines.cu calls libcu++.

They run on the emulator, strict and not, and on an sm_90 GPU if there is one. Inputs are small
integers, so that the order of summation does not matter.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lanemap.devices import Device, Module
from lanemap.emulator.api import Hazard
from tests.sm_90a import PLACES
from tests.sm_90a import opened as opened_at

SOURCES = Path(__file__).resolve().parent / "cuda"
BF16 = ml_dtypes.bfloat16
Opened = tuple[Device, Module]


@pytest.fixture(scope="module", params=PLACES)
def device(request: pytest.FixtureRequest) -> Device:
    """The emulator, the strict emulator, and the GPU."""
    return opened_at(request.param)


@pytest.fixture(scope="module")
def opened(device: Device) -> Opened:
    """A device and matrices.cu on it."""
    return device, device.compile(SOURCES / "matrices.cu")


@pytest.fixture(scope="module")
def libcu(device: Device) -> Opened:
    """A device and pipelines.cu on it."""
    return device, device.compile(SOURCES / "pipelines.cu")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


def whole(rng: Any, dtype: Any, *shape: int) -> Any:
    return rng.integers(-4, 5, shape).astype(dtype)


def product(a: Any, b: Any) -> Any:
    return a.astype(np.float64) @ b.astype(np.float64)


def test_wmma_with_halves(opened: Opened, rng: Any) -> None:
    device, module = opened
    m, n, k = 32, 128, 80
    a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, k, n)
    c = device.zeros((m, n), np.float32)
    module["wmma_half"](
        (n // 64, m // 16, 1),
        (128, 1, 1),
        (device.array(a), device.array(b), c, np.int32(n), np.int32(k)),
    )
    assert np.array_equal(c.get(), 2 * product(a, b))


def test_wmma_with_bytes_and_columns(opened: Opened, rng: Any) -> None:
    device, module = opened
    m, n, k = 64, 24, 48
    a = rng.integers(-128, 128, (m, k)).astype(np.int8)
    b = rng.integers(-128, 128, (n, k)).astype(np.int8)
    c = device.zeros((n, m), np.int32)
    module["wmma_bytes"](
        (m // 32, n // 8, 1),
        (32, 1, 1),
        (device.array(a), device.array(b), c, np.int32(m), np.int32(k)),
    )
    assert np.array_equal(c.get().T, product(a, b.T))


@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 32), (100, 90, 200)])
def test_mma_behind_a_ring_of_asynchronous_copies(
    opened: Opened, rng: Any, m: int, n: int, k: int
) -> None:
    device, module = opened
    a, b = whole(rng, BF16, m, k), whole(rng, BF16, n, k)
    c = device.zeros((m, n), np.float32)
    module["mma_ring"](
        (-(-n // 64), -(-m // 64), 1),
        (128, 1, 1),
        (device.array(a), device.array(b), c, *(np.int32(x) for x in (m, n, k))),
    )
    assert np.array_equal(c.get(), product(a, b.T))


@pytest.mark.parametrize("entry", ["tma_shared", "tma_registers"])
@pytest.mark.parametrize(("m", "n", "k"), [(64, 128, 64), (100, 200, 488)])
def test_wgmma_fed_by_tma(opened: Opened, rng: Any, entry: str, m: int, n: int, k: int) -> None:
    device, module = opened
    a, b = whole(rng, BF16, m, k), whole(rng, BF16, n, k)
    c = device.array(np.full((m, n), 99, BF16))
    made = [
        device.tensor_map(x, box, swizzle="128b")
        for x, box in ((device.array(a), (64, 64)), (device.array(b), (128, 64)), (c, (64, 64)))
    ]
    module[entry](
        (-(-n // 128), -(-m // 64), 1),
        (160, 1, 1),
        (*made, np.int32(k)),
        shared_bytes=4 * (64 + 128) * 128 + 64 * 256 + 1024,
    )
    expected = product(a, b.T).astype(BF16)
    assert np.array_equal(c.get().view(np.uint16), expected.view(np.uint16))


def test_multicast_to_a_cluster(opened: Opened, rng: Any) -> None:
    device, module = opened
    x = rng.integers(0, 2**31, (32, 32)).astype(np.uint32)
    y = device.zeros(4 * 1024, np.uint32)
    made = device.tensor_map(device.array(x), (16, 32))
    module["multicast"]((4, 1, 1), (128, 1, 1), (made, y), cluster=(2, 1, 1))
    expected = np.concatenate([x.ravel() + rank % 2 for rank in range(4)])
    assert np.array_equal(y.get(), expected)


def test_bulk_copies_and_a_bulk_sum(opened: Opened, rng: Any) -> None:
    device, module = opened
    x = whole(rng, np.float32, 5, 256)
    sums = device.array(np.ones(256, np.float32))
    module["bulk_add"]((5, 1, 1), (256, 1, 1), (device.array(x), sums))
    assert np.array_equal(sums.get(), 1 + 2 * x.sum(axis=0))


def test_pipeline_of_libcu(libcu: Opened, rng: Any) -> None:
    device, module = libcu
    x = rng.integers(-1000, 1000, (5, 128)).astype(np.int32)
    y = device.zeros(x.shape, np.int32)
    module["piped"]((1, 1, 1), (128, 1, 1), (device.array(x), y, np.int32(5)))
    assert np.array_equal(y.get(), 3 * x[:, ::-1])


def test_barrier_of_libcu(libcu: Opened, device: Device, rng: Any, request: Any) -> None:
    module = libcu[1]
    x = rng.integers(-1000, 1000, (3, 256)).astype(np.int32)
    y = device.zeros(x.shape, np.int32)
    if request.node.callspec.params["device"] == "strict":  # libcu++ has no fence after init
        with pytest.raises(Hazard, match="neither fence.mbarrier_init nor fence.proxy.async"):
            module["barred"]((3, 1, 1), (256, 1, 1), (device.array(x), y))
        return
    module["barred"]((3, 1, 1), (256, 1, 1), (device.array(x), y))
    assert np.array_equal(y.get(), x[:, ::-1] + 1)

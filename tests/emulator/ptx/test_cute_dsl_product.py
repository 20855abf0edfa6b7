"""Matrix products that CuTe DSL compiled for sm_90a, TMA into wgmma, against NumPy.

They run on the emulator, strict and not, and on an sm_90 GPU if there is one.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import Device
from tests.emulator.ptx.cute_dsl.build import PRODUCT
from tests.sm_90a import PLACES
from tests.sm_90a import opened as opened_at

HERE = Path(__file__).resolve().parent / "cute_dsl"
TILE_M, TILE_N, TILE_K, STAGES = 128, 128, 64, 3
#: What the kernel's own structure takes: its mbarriers up to the alignment of the tiles, and those.
SHARED_BYTES = 1024 + STAGES * (TILE_M + TILE_N) * TILE_K * 2


@pytest.fixture(params=PLACES)
def device(request: pytest.FixtureRequest) -> Device:
    """The emulator, the strict emulator, and the GPU."""
    return opened_at(request.param)


@pytest.mark.parametrize("name", ["product", "product_columns"])
def test_product(device: Device, name: str) -> None:
    """The second kernel reads b with n contiguous, in boxes of 64 columns and 64 k."""
    rng = np.random.default_rng(17)
    m, n, k = PRODUCT
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float16) for rows in (m, n))
    held_b, box = (b, (TILE_N, TILE_K)) if name == "product" else (b.T.copy(), (64, 64))
    path = HERE / f"{name}.sm_90a.ptx"
    (entry,) = re.findall(r"\.visible \.entry (\w+)", path.read_text())
    c = device.array(np.full((m, n), 99, np.float16))
    device.load(path)[entry](
        (m // TILE_M, n // TILE_N, 1), (128, 1, 1),
        (
            b"\0", device.tensor_map(device.array(a), (TILE_M, TILE_K), swizzle="128b"),
            device.tensor_map(device.array(held_b), box, swizzle="128b"), c,
        ),
        shared_bytes=SHARED_BYTES,
    )  # fmt: skip
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    assert np.array_equal(c.get(), expected.astype(np.float16))

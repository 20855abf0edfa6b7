"""What CuTe DSL compiled for sm_90a and sm_100a, against NumPy; what it emits is clean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.emulator.ptx.cute_dsl.sizes import COLUMNS, TARGETS, TRANSPOSED
from tests.emulator.ptx.launching import Loaded, both_modes

__all__ = ["both_modes"]

HERE = Path(__file__).resolve().parent / "cute_dsl"
pytestmark = [pytest.mark.parametrize("target", TARGETS), pytest.mark.usefixtures("both_modes")]


def run(name: str, target: str, grid: Any, block: int, *args: Any, shared_bytes: int = 0) -> Any:
    text = (HERE / f"{name}.{target}.ptx").read_text()
    (entry,) = re.findall(r"\.visible \.entry (\w+)", text)
    return Loaded(text).run(entry, grid, block, args, shared_bytes)


@pytest.fixture
def rng() -> Any:
    return np.random.default_rng(3)


def test_axpy(target: str, rng: Any) -> None:
    x, y = rng.normal(size=(2, 300)).astype(np.float32)
    _, got = run("axpy", target, 3, 128, x, y, np.int32(300), np.float32(1.25))
    # One fused operation: the product is exact in double precision.
    assert np.array_equal(got, (x.astype(np.float64) * 1.25 + y).astype(np.float32))


def test_square_of_halves(target: str, rng: Any) -> None:
    x = rng.normal(size=1024).astype(np.float16)
    _, got = run("square", target, 2, 64, x, np.zeros_like(x))
    assert np.array_equal(got, (x.astype(np.float32) ** 2).astype(np.float16))


def test_softmax(target: str, rng: Any) -> None:
    x = rng.normal(size=(4, COLUMNS)).astype(np.float32)
    _, got = run("softmax", target, 4, 32, x, np.zeros_like(x))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    assert np.allclose(got, e / e.sum(1, keepdims=True), rtol=2e-6, atol=0)


def test_transpose_through_swizzled_shared_memory(target: str, rng: Any) -> None:
    m, n = TRANSPOSED
    x = rng.normal(size=(m, n)).astype(np.float32)
    y = np.zeros((n, m), np.float32)
    _, got = run("transpose", target, (n // 32, m // 32), 128, x, y, shared_bytes=4096)
    assert np.array_equal(got, x.T)


def test_a_missing_barrier_is_found(target: str, rng: Any) -> None:
    m, n = TRANSPOSED
    text = (HERE / f"transpose.{target}.ptx").read_text()
    (entry,) = re.findall(r"\.visible \.entry (\w+)", text)
    faulty = re.sub(r"(?m)^\s*(bar|barrier)\S*\.sync\b.*$", "", text)
    assert faulty != text
    x = rng.normal(size=(m, n)).astype(np.float32)
    loaded = Loaded(faulty, hazards="report")
    args = (x, np.zeros((n, m), np.float32))
    loaded.run(entry, (n // 32, m // 32), 128, args, shared_bytes=4096)
    assert "order" in {hazard.kind for hazard in loaded.machine.reported}

"""What Triton compiled for sm_90a and sm_100a, against NumPy; what a real compiler emits is clean.

Bounds of error are those of the arithmetic that the kernel asks for: exact where it is integer
or correctly rounded, units in the last place where the ISA approximates.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.emulator.ptx.launching import Loaded, both_modes
from tests.emulator.ptx.philox import random_floats

__all__ = ["both_modes"]
pytestmark = pytest.mark.usefixtures("both_modes")
HERE = Path(__file__).resolve().parent / "triton"
TARGETS = ("sm_90a", "sm_100a")
BF16, FP8 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn
N = 700  # not a multiple of the block of 256: the last program is masked


@pytest.fixture
def rng() -> Any:
    return np.random.default_rng(11)


def made(name: str, target: str = "sm_90a") -> dict[str, Any]:
    description: dict[str, Any] = json.loads((HERE / f"{name}.{target}.json").read_text())
    return description


def constants(name: str) -> dict[str, int]:
    found: dict[str, int] = made(name)["constants"]
    return found


def launch(name: str, target: str, grid: int, **arguments: Any) -> dict[str, Any]:
    """Run a kernel with arguments by name; returns the arrays by name."""
    description = made(name, target)
    names = [key for key in description["arguments"] if key not in description["constants"]]
    values = [_plain(arguments[key]) for key in names]
    scratch = [np.uint64(0), np.uint64(0)]  # global and profile scratch, which nothing uses
    text = (HERE / f"{name}.{target}.ptx").read_text()
    entry, threads, shared_bytes = (
        description[key] for key in ("entry", "threads", "shared_bytes")
    )
    got = Loaded(text).run(entry, grid, threads, [*values, *scratch], shared_bytes)
    arrays = [key for key in names if isinstance(arguments[key], np.ndarray)]
    return {key: a.view(arguments[key].dtype) for key, a in zip(arrays, got, strict=True)}


def _plain(value: Any) -> Any:
    if value.dtype.kind in "Vf" and value.dtype.itemsize < 4:
        return value.view(f"u{value.dtype.itemsize}")
    return value


def elementwise(name: str, target: str, dtype: Any, **inputs: Any) -> Any:
    grid = -(-N // constants(name)["BLOCK"])
    return launch(name, target, grid, o_ptr=np.zeros(N, dtype), n=np.int32(N), **inputs)["o_ptr"]


def close(got: Any, expected: Any, relative: float, absolute: float = 0.0) -> None:
    error = np.abs(got.astype(np.float64) - expected)
    assert np.all(error <= relative * np.abs(expected) + absolute), error.max()


pytestmark = pytest.mark.parametrize("target", TARGETS)


def test_add_is_exact(target: str, rng: Any) -> None:
    x, y = rng.normal(size=(2, N)).astype(np.float32)
    assert np.array_equal(elementwise("add_f32", target, np.float32, x_ptr=x, y_ptr=y), x + y)


def test_division_and_root_are_rounded_correctly(target: str, rng: Any) -> None:
    x = (rng.normal(size=N) * 2.0 ** rng.integers(-130, 120, N)).astype(np.float32)
    y = (rng.normal(size=N) * 2.0 ** rng.integers(-130, 120, N)).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = x / y + np.sqrt(np.abs(x))
    got = elementwise("divide_f32", target, np.float32, x_ptr=x, y_ptr=y)
    assert np.array_equal(got, expected)


def test_gelu(target: str, rng: Any) -> None:
    x = rng.normal(size=N).astype(np.float16)
    wide = x.astype(np.float64)
    expected = 0.5 * wide * (1 + np.array([math.erf(v / math.sqrt(2)) for v in wide]))
    close(elementwise("gelu_f16", target, np.float16, x_ptr=x), expected, 2.0**-10, 1e-6)


def test_silu(target: str, rng: Any) -> None:
    x = rng.normal(size=N).astype(BF16)
    wide = x.astype(np.float64)
    close(elementwise("silu_bf16", target, BF16, x_ptr=x), wide / (1 + np.exp(-wide)), 2.0**-8)


def test_tanh_and_sine(target: str, rng: Any) -> None:
    x = np.concatenate([rng.normal(size=N - 50), rng.normal(size=50) * 1e6]).astype(np.float32)
    wide = x.astype(np.float64)
    expected = np.tanh(wide) + np.sin(wide) * np.log(np.abs(wide) + 1)
    close(elementwise("tanh_sin_f32", target, np.float32, x_ptr=x), expected, 1e-6, 1e-5)


@pytest.mark.parametrize("columns", [512, 300])
def test_softmax(target: str, columns: int, rng: Any) -> None:
    x = (rng.normal(size=(5, columns)) * 4).astype(np.float32)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    out = np.zeros((5, columns), np.float32)
    got = launch("softmax_f32", target, 5, x_ptr=x, o_ptr=out, columns=np.int32(columns))["o_ptr"]
    close(got, e / e.sum(axis=1, keepdims=True), 4e-6, 1e-30)


@pytest.mark.parametrize("columns", [512, 300])
def test_layer_norm(target: str, columns: int, rng: Any) -> None:
    x = rng.normal(2, 3, size=(4, columns)).astype(np.float32)
    w, b = rng.normal(size=(2, columns)).astype(np.float32)
    wide = x.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    expected = (wide - wide.mean(axis=1, keepdims=True)) * scale * w + b
    got = launch(
        "layer_norm_f32",
        target,
        4,
        x_ptr=x,
        w_ptr=w,
        b_ptr=b,
        o_ptr=np.zeros_like(x),
        columns=np.int32(columns),
        eps=np.float32(1e-5),
    )["o_ptr"]
    close(got, expected, 2e-6, 4e-6)


def test_reductions(target: str, rng: Any) -> None:
    rows, columns = constants("reduce_f32")["BLOCK_M"], constants("reduce_f32")["BLOCK_N"]
    x = rng.integers(-1000, 1000, (rows, columns)).astype(np.float32)
    x[3, [7, 20]] = 5000
    got = launch(
        "reduce_f32",
        target,
        1,
        x_ptr=x,
        sum_ptr=np.zeros(rows, np.float32),
        max_ptr=np.zeros(rows, np.float32),
        argmax_ptr=np.zeros(rows, np.int32),
    )
    assert np.array_equal(got["sum_ptr"], x.sum(axis=1))
    assert np.array_equal(got["max_ptr"], x.max(axis=1))
    assert np.array_equal(got["argmax_ptr"], x.argmax(axis=1))


@pytest.mark.parametrize(("name", "reference"), [("cumsum_i32", np.cumsum), ("sort_i32", np.sort)])
def test_scan_and_sort(target: str, name: str, reference: Any, rng: Any) -> None:
    x = rng.integers(-(2**20), 2**20, constants(name)["BLOCK"]).astype(np.int32)
    got = launch(name, target, 1, x_ptr=x, o_ptr=np.zeros_like(x))["o_ptr"]
    assert np.array_equal(got, reference(x))


def test_histogram_by_atomics(target: str, rng: Any) -> None:
    bins = constants("histogram_i32")["BINS"]
    x = rng.integers(0, bins, 3 * constants("histogram_i32")["BLOCK"]).astype(np.int32)
    got = launch("histogram_i32", target, 3, x_ptr=x, o_ptr=np.zeros(bins, np.int32))["o_ptr"]
    assert np.array_equal(got, np.bincount(x, minlength=bins))


def test_random_numbers_are_philox(target: str) -> None:
    block = constants("random_f32")["BLOCK"]
    out = np.zeros(2 * block, np.float32)
    got = launch("random_f32", target, 2, o_ptr=out, seed=np.int32(77))["o_ptr"]
    assert np.array_equal(got, random_floats(2 * block, 77))


def test_64_bit_division(target: str, rng: Any) -> None:
    block = constants("divmod_i64")["BLOCK"]
    x = rng.integers(-(2**62), 2**62, block)
    y = rng.integers(1, 2**40, block) >> rng.integers(0, 39, block)
    y = np.where(y == 0, 1, y) * rng.choice([-1, 1], block)
    got = launch("divmod_i64", target, 1, x_ptr=x, y_ptr=y, o_ptr=np.zeros_like(x))["o_ptr"]
    pairs = list(zip(x.tolist(), y.tolist(), strict=True))
    quotients = [int(math.copysign(1, a * b)) * (abs(a) // abs(b)) for a, b in pairs]
    expected = [3 * q + (a - q * b) for q, (a, b) in zip(quotients, pairs, strict=True)]
    assert got.tolist() == [(value + 2**63) % 2**64 - 2**63 for value in expected]


def test_a_loop_of_data_dependent_length(target: str, rng: Any) -> None:
    x = rng.integers(1, 1000, constants("collatz_i32")["BLOCK"]).astype(np.int32)

    def steps(value: int) -> int:
        count = 0
        while value > 1 and count < 200:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            count += 1
        return count

    got = launch("collatz_i32", target, 1, x_ptr=x, o_ptr=np.zeros_like(x))["o_ptr"]
    assert got.tolist() == [steps(int(value)) for value in x]


def test_transpose(target: str, rng: Any) -> None:
    side = constants("transpose_f16")["BLOCK"]
    x = rng.normal(size=(side, side)).astype(np.float16)
    got = launch("transpose_f16", target, 1, x_ptr=x, o_ptr=np.zeros_like(x))["o_ptr"]
    assert np.array_equal(got, x.T)


def test_conversion_to_fp8(target: str, rng: Any) -> None:
    """Below e4m3fn's largest value, where ml_dtypes and the instruction round alike."""
    block = constants("to_fp8")["BLOCK"]
    x = (rng.uniform(-1, 1, block) * 2.0 ** rng.integers(-12, 9, block)).astype(np.float32)
    got = launch(
        "to_fp8", target, 1, x_ptr=x, o_ptr=np.zeros(block, np.uint8), back_ptr=np.zeros_like(x)
    )
    assert np.array_equal(got["o_ptr"], x.astype(FP8).view(np.uint8))
    assert np.array_equal(got["back_ptr"], x.astype(FP8).astype(np.float32))

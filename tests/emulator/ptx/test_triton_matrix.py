"""Matrix products and attention that Triton compiled for sm_90a, against NumPy.

They run on the emulator, strict and not, where every hazard would be a false alarm; and on an sm_90
GPU if there is one. Sizes leave tails at every edge that a kernel masks or a tensor map clips.
Inputs of products are small integers, which are exact in every order of summation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lanemap.devices import Device
from tests.sm_90a import PLACES
from tests.sm_90a import opened as opened_at

HERE = Path(__file__).resolve().parent / "triton"
BF16, FP8 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn
#: Triton's numbers of swizzles and types are the driver's (CUtensorMapSwizzle, .._DataType).
SWIZZLES = {0: "none", 1: "32b", 2: "64b", 3: "128b"}
ELEMENTS = {6: "float16"}


@pytest.fixture(params=PLACES)
def device(request: pytest.FixtureRequest) -> Device:
    """The emulator, the strict emulator, and the GPU."""
    return opened_at(request.param)


@pytest.fixture
def rng() -> Any:
    return np.random.default_rng(5)


class Compiled:
    """One stored kernel: its text, and how a host launches it."""

    def __init__(self, name: str) -> None:
        self.path = HERE / f"{name}.sm_90a.ptx"
        about: dict[str, Any] = json.loads((HERE / f"{name}.sm_90a.json").read_text())
        self.about, self.constants = about, about["constants"]
        self.names = [key for key in about["arguments"] if key not in self.constants]

    def launch(self, device: Device, grid: tuple[int, int, int], **given: Any) -> None:
        """Launch with arguments by name; a tensor is (map, sizes, strides in elements)."""
        arguments: list[Any] = []
        for key in self.names:
            value = given[key]
            arguments += list(value) if isinstance(value, tuple) else [value]
        ctas = int(np.prod(grid))
        bytes_each = self.about.get("scratch_bytes", 0)
        scratch = device.zeros(max(16, ctas * bytes_each), np.uint8)
        module = device.load(self.path)
        module[self.about["entry"]](
            grid, (self.about["threads"], 1, 1), [*arguments, scratch, np.uint64(0)],
            shared_bytes=self.about["shared_bytes"],
        )  # fmt: skip

    def described(self, device: Device, which: int, array: Any) -> tuple[Any, ...]:
        """A row-major matrix as Triton passes it: its tensor map, sizes, strides."""
        about: Mapping[str, Any] = self.about["tensor_maps"][which]
        shape = array.shape
        made = device.tensor_map(
            array, about["block_size"], dtype=ELEMENTS[about["elem_type"]],
            swizzle=SWIZZLES[about["swizzle"]], l2_promotion="l2_128b",
        )  # fmt: skip
        return (made, *(np.int32(n) for n in shape), np.int64(shape[1]), np.int64(1))


def whole(rng: Any, dtype: Any, *shape: int) -> Any:
    """Small integers, whose products and sums are exact."""
    return rng.integers(-4, 5, shape).astype(dtype)


def tiles(kernel: Compiled, m: int, n: int) -> tuple[int, int, int]:
    return -(-m // kernel.constants["M"]), -(-n // kernel.constants["N"]), 1


@pytest.mark.parametrize(
    ("name", "dtype", "m", "n", "k"),
    [
        ("matmul_f16", np.float16, 200, 136, 144),
        ("matmul_wide_f16", np.float16, 130, 264, 80),
        ("matmul_two_warps_f16", np.float16, 100, 48, 96),
    ],
)
def test_masked_product(
    device: Device, rng: Any, name: str, dtype: Any, m: int, n: int, k: int
) -> None:
    kernel = Compiled(name)
    a, b = whole(rng, dtype, m, k), whole(rng, dtype, k, n)
    out = np.float32 if name == "matmul_f16" else dtype
    o = device.array(np.full((m, n), 99, out))
    kernel.launch(
        device, tiles(kernel, m, n), a_ptr=device.array(a), b_ptr=device.array(b), o_ptr=o,
        m=np.int32(m), n=np.int32(n), k=np.int32(k),
    )  # fmt: skip
    assert np.array_equal(o.get(), (a.astype(np.float64) @ b.astype(np.float64)).astype(out))


@pytest.mark.parametrize(
    ("name", "dtype", "out"),
    [
        ("matmul_bf16", BF16, BF16),
        ("matmul_e4m3", FP8, np.float32),
        ("matmul_i8", np.int8, np.int32),
        ("matmul_tf32", np.float32, np.float32),
    ],
)
def test_product_with_a_transposed(
    device: Device, rng: Any, name: str, dtype: Any, out: Any
) -> None:
    kernel = Compiled(name)
    m, n, k = 128, 256, 192
    a, b = whole(rng, dtype, m, k), whole(rng, dtype, n, k)
    o = device.array(np.full((m, n), 99, np.float32).astype(out))
    kernel.launch(
        device, tiles(kernel, m, n), a_ptr=device.array(a), b_ptr=device.array(b), o_ptr=o,
        m=np.int32(m), n=np.int32(n), k=np.int32(k),
    )  # fmt: skip
    expected = (a.astype(np.float64) @ b.astype(np.float64).T).astype(out)
    assert np.array_equal(o.get().astype(np.float64), expected.astype(np.float64))


@pytest.mark.parametrize("name", ["matmul_described", "matmul_persistent", "matmul_specialized"])
def test_product_through_tensor_maps(device: Device, rng: Any, name: str) -> None:
    """Rows, columns and k beyond the matrices are filled with zeros, and clipped."""
    kernel = Compiled(name)
    m, n, k = 200, 328, 216
    a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, n, k)
    o = device.array(np.full((m, n), 99, np.float16))
    sizes = {key: np.int32(size) for key, size in (("m", m), ("n", n), ("k", k))}
    across = tiles(kernel, m, n)
    grid = across if name == "matmul_described" else (3, 1, 1)
    kernel.launch(
        device, grid, a=kernel.described(device, 0, device.array(a)),
        b=kernel.described(device, 1, device.array(b)), o=kernel.described(device, 2, o), **sizes,
    )  # fmt: skip
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    assert np.array_equal(o.get(), expected.astype(np.float16))


def test_product_through_tensor_maps_of_its_own(device: Device, rng: Any) -> None:
    """The kernel builds the maps in shared memory and publishes them to the tensor proxy."""
    kernel = Compiled("matmul_describes")
    m, n, k = 200, 136, 160
    a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, n, k)
    o = device.array(np.full((m, n), 99, np.float16))
    kernel.launch(
        device, tiles(kernel, m, n), a_ptr=device.array(a), b_ptr=device.array(b), o_ptr=o,
        m=np.int32(m), n=np.int32(n), k=np.int32(k),
    )  # fmt: skip
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    assert np.array_equal(o.get(), expected.astype(np.float16))


@pytest.mark.parametrize(
    "name",
    [
        "attention_fp16_64", "attention_fp16_64_causal", "attention_fp16_128",
        "attention_fp16_128_causal", "attention_bf16_64_causal", "attention_bf16_128",
    ],
)  # fmt: skip
def test_attention(device: Device, rng: Any, name: str) -> None:
    kernel = Compiled(name)
    dtype = np.float16 if "fp16" in name else BF16
    heads, length, width = 2, 150, kernel.constants["D"]
    q, k, v = (rng.normal(size=(heads, length, width)).astype(dtype) for _ in range(3))
    scale = 1 / np.sqrt(width)
    o = device.array(np.zeros(q.shape, dtype))
    sums = device.array(np.zeros((heads, length), np.float32))
    grid = (-(-length // kernel.constants["M"]), heads, 1)
    kernel.launch(
        device, grid, q_ptr=device.array(q), k_ptr=device.array(k), v_ptr=device.array(v), o_ptr=o,
        lse_ptr=sums, length=np.int32(length), scale=np.float32(scale),
    )  # fmt: skip
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    s = q @ k.transpose(0, 2, 1) * scale
    if kernel.constants["CAUSAL"]:
        s = np.where(np.tril(np.ones((length, length), bool)), s, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    p = np.exp(s - top)
    expected = p @ v / p.sum(axis=-1, keepdims=True)
    # Two roundings to the type of v, of p and of o, relative to weights whose sum is 1.
    bound = 2.0 ** (-9 if dtype is np.float16 else -6)
    assert np.abs(o.get().astype(np.float64) - expected).max() <= bound
    logs = np.log2(p.sum(axis=-1)) + top[..., 0] * np.log2(np.e)
    assert np.abs(sums.get() - logs).max() <= 1e-4

"""What Triton compiled from ordinary kernels, on the emulator, against NumPy; hazards are on.

Bounds of error are those of the arithmetic that the kernel asks for: exact where it is integer
or correctly rounded, units in the last place where the back end approximates.
"""

from __future__ import annotations

import math
import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from tests.emulator.ptx.philox import random_floats
from tests.evidence.launch import Stored, stored

BF16 = ml_dtypes.bfloat16
FP8 = ml_dtypes.float8_e4m3fn
BF8 = ml_dtypes.float8_e5m2
N = 700  # not a multiple of the block of 256: the last program is masked


@pytest.fixture
def rng() -> Any:
    return np.random.default_rng(11)


def _launch(
    name: str, grid: int, inputs: dict[str, Any], out: tuple[Any, Any], **scalars: Any
) -> Any:
    """Run a kernel of one result, `o_ptr`; returns it."""
    kernel = stored("triton_kernels", name)
    device = lanemap.open_device(kernel.made["target"], device="emulator")
    given = {key: device.array(_bits(value)) for key, value in inputs.items()}
    shape, dtype = out
    result = device.zeros(shape, _plain(dtype))
    kernel.run(device, grid, o_ptr=result, **given, **scalars)
    return result.get().view(dtype)


def _plain(dtype: Any) -> Any:
    """NumPy's own type of the same width: what a device holds is bits."""
    kind = np.dtype(dtype)
    return f"u{kind.itemsize}" if kind.kind in "Vf" and kind.itemsize < 4 else kind


def _bits(value: Any) -> Any:
    return value.view(_plain(value.dtype))


def _ceil(name: str, n: int) -> int:
    return -(-n // stored("triton_kernels", name).constants["BLOCK"])


def _elementwise(name: str, dtype: Any, **inputs: Any) -> Any:
    return _launch(name, _ceil(name, N), inputs, (N, dtype), n=np.int32(N))


def test_add_is_exact(rng: Any) -> None:
    x, y = rng.normal(size=(2, N)).astype(np.float32)
    assert np.array_equal(_elementwise("add_f32", np.float32, x_ptr=x, y_ptr=y), x + y)


def test_division_and_root_are_rounded_correctly(rng: Any) -> None:
    """Correctly rounded division and root, and their sum, are exact to the last bit."""
    x = (rng.normal(size=N) * 2.0 ** rng.integers(-130, 120, N)).astype(np.float32)
    y = (rng.normal(size=N) * 2.0 ** rng.integers(-130, 120, N)).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = x / y + np.sqrt(np.abs(x))
    assert np.array_equal(_elementwise("divide_f32", np.float32, x_ptr=x, y_ptr=y), expected)


def _close(got: Any, expected: Any, relative: float, absolute: float = 0.0) -> None:
    error = np.abs(got.astype(np.float64) - expected)
    assert np.all(error <= relative * np.abs(expected) + absolute), error.max()


def test_gelu(rng: Any) -> None:
    x = rng.normal(size=N).astype(np.float16)
    wide = x.astype(np.float64)
    expected = 0.5 * wide * (1 + np.array([math.erf(v / math.sqrt(2)) for v in wide]))
    _close(_elementwise("gelu_f16", np.float16, x_ptr=x), expected, 2.0**-10, 1e-6)


def test_silu(rng: Any) -> None:
    x = rng.normal(size=N).astype(BF16)
    wide = x.astype(np.float64)
    _close(_elementwise("silu_bf16", BF16, x_ptr=x), wide / (1 + np.exp(-wide)), 2.0**-8)


def test_tanh_and_sine(rng: Any) -> None:
    x = np.concatenate([rng.normal(size=N - 50), rng.normal(size=50) * 1e6]).astype(np.float32)
    wide = x.astype(np.float64)
    expected = np.tanh(wide) + np.sin(wide) * np.log(np.abs(wide) + 1)
    _close(_elementwise("tanh_sin_f32", np.float32, x_ptr=x), expected, 1e-6, 1e-5)


@pytest.mark.parametrize("name", ["softmax_f32", "softmax_f32_gfx942"])
@pytest.mark.parametrize("columns", [512, 300])
def test_softmax(columns: int, name: str, rng: Any) -> None:
    x = (rng.normal(size=(5, columns)) * 4).astype(np.float32)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    out = ((5, columns), np.float32)
    got = _launch(name, 5, {"x_ptr": x}, out, columns=np.int32(columns))
    _close(got, e / e.sum(axis=1, keepdims=True), 4e-6, 1e-30)


@pytest.mark.parametrize("columns", [512, 300])
def test_layer_norm(columns: int, rng: Any) -> None:
    x = rng.normal(2, 3, size=(4, columns)).astype(np.float32)
    w, b = rng.normal(size=(2, columns)).astype(np.float32)
    wide = x.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    expected = (wide - wide.mean(axis=1, keepdims=True)) * scale * w + b
    inputs = {"x_ptr": x, "w_ptr": w, "b_ptr": b}
    scalars = {"columns": np.int32(columns), "eps": np.float32(1e-5)}
    got = _launch("layer_norm_f32", 4, inputs, ((4, columns), np.float32), **scalars)
    _close(got, expected, 2e-6, 4e-6)


@pytest.mark.parametrize(
    "name", ["layer_norm_f16", "layer_norm_f16_gfx942", "layer_norm_f16_gfx90a"]
)
def test_layer_norm_of_halves(name: str, rng: Any) -> None:
    """A piece has one element a lane, which LLVM adds as an f16 times 1.0 by v_fma_mix_f32."""
    kernel = stored("triton_kernels", name)
    assert re.search(r"v_fma_mix_f32 v\d+, v\d+, 1\.0, v\d+ op_sel_hi:\[1,1,0\]", kernel.text)
    columns = 3 * kernel.constants["BLOCK"] - 60
    x = rng.normal(2, 3, size=(4, columns)).astype(np.float16)
    w, b = rng.normal(size=(2, columns)).astype(np.float16)
    wide = x.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    expected = (wide - wide.mean(axis=1, keepdims=True)) * scale * w + b
    inputs = {"x_ptr": x, "w_ptr": w, "b_ptr": b}
    scalars = {"columns": np.int32(columns), "eps": np.float32(1e-5)}
    got = _launch(name, 4, inputs, ((4, columns), np.float16), **scalars)
    _close(got.astype(np.float64), expected, 1e-3, 1e-5)


@pytest.mark.parametrize("name", ["reduce_f32", "reduce_f32_gfx942", "reduce_f32_gfx90a"])
def test_reductions(name: str, rng: Any) -> None:
    kernel = stored("triton_kernels", name)
    rows, columns = kernel.constants["BLOCK_M"], kernel.constants["BLOCK_N"]
    x = rng.integers(-1000, 1000, (rows, columns)).astype(np.float32)
    x[3, [7, 20]] = 5000
    device = lanemap.open_device(kernel.made["target"], device="emulator")
    results = [device.zeros(rows, dtype) for dtype in (np.float32, np.float32, np.int32)]
    names = ("sum_ptr", "max_ptr", "argmax_ptr")
    kernel.run(device, 1, x_ptr=device.array(x), **dict(zip(names, results, strict=True)))
    total, peak, where = (result.get() for result in results)
    assert np.array_equal(total, x.sum(axis=1))
    assert np.array_equal(peak, x.max(axis=1))
    assert np.array_equal(where, x.argmax(axis=1))


@pytest.mark.parametrize(("name", "reference"), [("cumsum_i32", np.cumsum), ("sort_i32", np.sort)])
def test_scan_and_sort(name: str, reference: Any, rng: Any) -> None:
    block = stored("triton_kernels", name).constants["BLOCK"]
    x = rng.integers(-(2**20), 2**20, block).astype(np.int32)
    got = _launch(name, 1, {"x_ptr": x}, (block, np.int32))
    assert np.array_equal(got, reference(x))


def test_histogram_by_atomics(rng: Any) -> None:
    kernel = stored("triton_kernels", "histogram_i32")
    bins = kernel.constants["BINS"]
    x = rng.integers(0, bins, 3 * kernel.constants["BLOCK"]).astype(np.int32)
    got = _launch("histogram_i32", 3, {"x_ptr": x}, (bins, np.int32))
    assert np.array_equal(got, np.bincount(x, minlength=bins))


def test_random_numbers_are_philox() -> None:
    block = stored("triton_kernels", "random_f32").constants["BLOCK"]
    got = _launch("random_f32", 2, {}, (2 * block, np.float32), seed=np.int32(77))
    assert np.array_equal(got, random_floats(2 * block, 77))


def test_64_bit_division(rng: Any) -> None:
    block = stored("triton_kernels", "divmod_i64").constants["BLOCK"]
    x = rng.integers(-(2**62), 2**62, block)
    y = rng.integers(1, 2**40, block) >> rng.integers(0, 39, block)
    y = np.where(y == 0, 1, y) * rng.choice([-1, 1], block)
    got = _launch("divmod_i64", 1, {"x_ptr": x, "y_ptr": y}, (block, np.int64))
    quotients = [int(math.copysign(1, a * b)) * (abs(a) // abs(b)) for a, b in _pairs(x, y)]
    expected = [3 * q + (a - q * b) for q, (a, b) in zip(quotients, _pairs(x, y), strict=True)]
    wrapped = [(value + 2**63) % 2**64 - 2**63 for value in expected]
    assert got.tolist() == wrapped


def _pairs(x: Any, y: Any) -> list[tuple[int, int]]:
    return list(zip(x.tolist(), y.tolist(), strict=True))


def test_a_loop_of_data_dependent_length(rng: Any) -> None:
    block = stored("triton_kernels", "collatz_i32").constants["BLOCK"]
    x = rng.integers(1, 1000, block).astype(np.int32)

    def steps(value: int) -> int:
        count = 0
        while value > 1 and count < 200:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            count += 1
        return count

    got = _launch("collatz_i32", 1, {"x_ptr": x}, (block, np.int32))
    assert got.tolist() == [steps(int(value)) for value in x]


def test_transpose(rng: Any) -> None:
    side = stored("triton_kernels", "transpose_f16").constants["BLOCK"]
    x = rng.normal(size=(side, side)).astype(np.float16)
    got = _launch("transpose_f16", 1, {"x_ptr": x}, ((side, side), np.float16))
    assert np.array_equal(got, x.T)


def test_conversion_to_fp8(rng: Any) -> None:
    """Below e4m3fn's largest value, where ml_dtypes and the instruction round alike."""
    kernel = stored("triton_kernels", "to_fp8")
    block = kernel.constants["BLOCK"]
    x = (rng.uniform(-1, 1, block) * 2.0 ** rng.integers(-12, 9, block)).astype(np.float32)
    device = lanemap.open_device("gfx950", device="emulator")
    out, back = device.zeros(block, np.uint8), device.zeros(block, np.float32)
    kernel.run(device, 1, x_ptr=device.array(x), o_ptr=out, back_ptr=back)
    assert np.array_equal(out.get(), x.astype(FP8).view(np.uint8))
    assert np.array_equal(back.get(), x.astype(FP8).astype(np.float32))


def _product(kernel: Stored, name: str, a: Any, b: Any, dtype: Any) -> Any:
    grid = a.shape[0] // kernel.constants["M"]
    out = ((a.shape[0], b.shape[1]), dtype)
    return _launch(name, grid, {"a_ptr": a, "b_ptr": b}, out, k_total=np.int32(a.shape[1]))


@pytest.mark.parametrize(
    ("name", "dtype", "out"),
    [
        ("pv_bf16", BF16, np.float32),
        ("matmul_f16", np.float16, np.float32),
        ("matmul_bf8", BF8, np.float32),
        ("matmul_f32", np.float32, np.float32),
        ("matmul_f64", np.float64, np.float64),
        ("matmul_i8", np.int8, np.int32),
        ("matmul_f16_gfx942", np.float16, np.float32),
        ("matmul_i8_gfx942", np.int8, np.int32),
        ("matmul_fnuz_gfx942", ml_dtypes.float8_e4m3fnuz, np.float32),
        ("matmul_bf8_fnuz_gfx942", ml_dtypes.float8_e5m2fnuz, np.float32),
        ("matmul_bf16_gfx942", BF16, np.float32),
        ("matmul_f32_gfx942", np.float32, np.float32),
        ("matmul_xf32_gfx942", np.float32, np.float32),
        ("matmul_f64_gfx942", np.float64, np.float64),
        ("matmul_f16_gfx90a", np.float16, np.float32),
        ("pv_bf16_gfx90a", BF16, np.float32),
        ("matmul_i8_gfx90a", np.int8, np.int32),
        ("matmul_f32_gfx90a", np.float32, np.float32),
    ],
)
def test_products_of_small_whole_numbers_are_exact(
    name: str, dtype: Any, out: Any, rng: Any
) -> None:
    """Sums of at most 256 products up to 16: exact in every accumulator, in any order."""
    kernel = stored("triton_kernels", name)
    k = 2 * kernel.constants["K"]
    a = rng.integers(-4, 5, (2 * kernel.constants["M"], k)).astype(np.float32)
    b = rng.integers(-4, 5, (k, kernel.constants["N"])).astype(np.float32)
    got = _product(kernel, name, a.astype(dtype), b.astype(dtype), out)
    assert np.array_equal(got, a @ b)


@pytest.mark.parametrize(
    "name", ["attention_bf16", "attention_bf16_gfx942", "attention_bf16_gfx90a"]
)
def test_attention(name: str, rng: Any) -> None:
    kernel = stored("triton_kernels", name)
    m, d = kernel.constants["M"], kernel.constants["D"]
    q, k, v = (rng.normal(size=shape).astype(BF16) for shape in ((2 * m, d), (96, d), (96, d)))
    inputs = {"q_ptr": q, "k_ptr": k, "v_ptr": v}
    got = _launch(name, 2, inputs, ((2 * m, d), np.float32), n_keys=np.int32(96))
    s = q.astype(np.float64) @ k.astype(np.float64).T * 0.18033688
    p = np.exp2(s - s.max(axis=1, keepdims=True))
    expected = p @ v.astype(np.float64) / p.sum(axis=1, keepdims=True)
    # The weights are rounded to bf16: 2^-9 of each, of values of unit size.
    _close(got, expected, 2.0**-7, 2.0**-7)


@pytest.mark.parametrize("name", ["matmul_mxfp4", "matmul_mxfp4_widened"])
def test_scaled_products(name: str, rng: Any) -> None:
    """Packed e2m1 with power-of-two scales near 1: every sum is exact in f32."""
    kernel = stored("triton_kernels", name)
    m, n, k = (kernel.constants[axis] for axis in "MNK")
    a, b = (rng.integers(0, 256, (rows, k // 2), dtype=np.uint8) for rows in (m, n))
    sa, sb = (rng.integers(125, 130, (rows, k // 32), dtype=np.uint8) for rows in (m, n))
    inputs = {"a_ptr": a, "a_scale_ptr": sa, "b_ptr": b, "b_scale_ptr": sb}
    got = _launch(name, 1, inputs, ((m, n), np.float32))
    assert np.array_equal(got, _unpacked(a, sa) @ _unpacked(b, sb).T)


def _unpacked(packed: Any, scales: Any) -> Any:
    """float64 values of e2m1 pairs, low nibble first, with an e8m0 scale for each 32."""
    nibbles = np.stack([packed & 15, packed >> 4], axis=-1).reshape(packed.shape[0], -1)
    values = nibbles.view(ml_dtypes.float4_e2m1fn).astype(np.float64)
    return values * np.repeat(2.0 ** (scales.astype(np.float64) - 127), 32, axis=1)


@pytest.mark.parametrize("target", ["gfx942", "gfx90a"])
def test_attention_backward(target: str, rng: Any) -> None:
    """dQ, dK and dV of softmax(q k^T / 8) v, against float64."""
    kernel = stored("triton_kernels", f"attention_backward_bf16_{target}")
    rows, d = 2 * kernel.constants["M"], kernel.constants["D"]
    q, k, v, do = (rng.normal(size=(rows, d)).astype(BF16) for _ in range(4))
    q64, k64, v64, do64 = (each.astype(np.float64) for each in (q, k, v, do))
    s = q64 @ k64.T / 8
    lse = np.log(np.exp(s).sum(axis=1))
    p = np.exp(s - lse[:, None])
    delta = (do64 * (p @ v64)).sum(axis=1)
    ds = p * (do64 @ v64.T - delta[:, None]) / 8
    device = lanemap.open_device(target, device="emulator")
    given = {"q_ptr": q, "k_ptr": k, "v_ptr": v, "do_ptr": do}
    given |= {"lse_ptr": lse.astype(np.float32), "delta_ptr": delta.astype(np.float32)}
    out = {name: device.zeros((rows, d), np.float32) for name in ("dq_ptr", "dk_ptr", "dv_ptr")}
    arrays = {name: device.array(_bits(value)) for name, value in given.items()}
    kernel.run(device, 2, **arrays, **out, rows=np.int32(rows))
    for name, weights, factor in (
        ("dq_ptr", ds, k64),
        ("dk_ptr", ds.T, q64),
        ("dv_ptr", p.T, do64),
    ):
        # Weights are rounded to bf16, 2^-9 of each; exp2 and f32 sums are far closer.
        bound = np.abs(weights) @ np.abs(factor) * 2.0**-8
        assert (np.abs(out[name].get() - weights @ factor) <= bound).all(), name


@pytest.mark.parametrize("target", ["gfx942", "gfx90a"])
def test_mixture_of_experts(target: str, rng: Any) -> None:
    """Rows in blocks by expert, as vLLM sorts them; the last block of each expert is padded."""
    name = f"moe_f16_{target}"
    kernel = stored("triton_kernels", name)
    m, n, top = (kernel.constants[each] for each in ("M", "N", "TOP"))
    tokens, experts, k = 21, 4, 2 * kernel.constants["K"]
    chosen = np.array([rng.permutation(experts)[:top] for _ in range(tokens)]).reshape(-1)
    blocks = []
    for expert in range(experts):
        ids = np.flatnonzero(chosen == expert)
        padded = np.full(-(-len(ids) // m) * m, tokens * top)
        padded[: len(ids)] = ids
        blocks += [(expert, part) for part in padded.reshape(-1, m)]
    a = rng.integers(-4, 5, (tokens, k)).astype(np.float16)
    b = rng.integers(-4, 5, (experts, k, n)).astype(np.float16)
    gate = rng.choice([0.25, 0.5, 1], tokens * top).astype(np.float32)
    inputs = {
        "a_ptr": a, "b_ptr": b, "gate_ptr": gate,
        "ids_ptr": np.concatenate([ids for _, ids in blocks]).astype(np.int32),
        "expert_ptr": np.array([expert for expert, _ in blocks], np.int32),
    }  # fmt: skip
    scalars = {"tokens": np.int32(tokens), "k_total": np.int32(k)}
    got = _launch(name, len(blocks), inputs, ((tokens * top, n), np.float32), **scalars)
    rows = a.astype(np.float32).repeat(top, axis=0)
    expected = np.einsum("tk,tkn->tn", rows, b[chosen].astype(np.float32)) * gate[:, None]
    assert np.array_equal(got, expected)


QUANTIZED = {
    "quantize_fnuz_gfx942": (ml_dtypes.float8_e4m3fnuz, np.float32(240)),
    "quantize_i8_gfx942": (np.int8, np.float32(127)),
    "quantize_i8_gfx90a": (np.int8, np.float32(127)),
}


@pytest.mark.parametrize("name", QUANTIZED)
def test_quantization(name: str, rng: Any) -> None:
    """Divisions are rounded correctly, so that codes and scales are equal."""
    dtype, most = QUANTIZED[name]
    kernel = stored("triton_kernels", name)
    columns = kernel.constants["BLOCK"]
    x = (rng.normal(size=(5, columns)) * 2.0 ** rng.integers(-9, 9, (5, 1))).astype(np.float32)
    device = lanemap.open_device(kernel.made["target"], device="emulator")
    codes, scales = device.zeros((5, columns), np.uint8), device.zeros(5, np.float32)
    kernel.run(device, 5, x_ptr=device.array(x), o_ptr=codes, scale_ptr=scales)
    scale = np.abs(x).max(axis=1) / most
    assert np.array_equal(scales.get(), scale)
    shares = x / scale[:, None]
    expected = (np.rint(shares) if dtype is np.int8 else shares).astype(dtype)
    assert np.array_equal(codes.get().view(dtype), expected)
    assert len(np.unique(expected)) > 50


@pytest.mark.parametrize("target", ["gfx942", "gfx90a"])
def test_product_with_quantized_weights(target: str, rng: Any) -> None:
    name = f"matmul_weights_i8_{target}"
    kernel = stored("triton_kernels", name)
    m, n, k = (kernel.constants[axis] for axis in "MNK")
    a = rng.integers(-4, 5, (2 * m, 3 * k)).astype(np.float16)
    b = rng.integers(-128, 128, (3 * k, n)).astype(np.int8)
    scale = 2.0 ** rng.integers(-6, 3, n).astype(np.float32)
    inputs = {"a_ptr": a, "b_ptr": b, "scale_ptr": scale}
    got = _launch(name, 2, inputs, ((2 * m, n), np.float32), k_total=np.int32(3 * k))
    assert np.array_equal(got, a.astype(np.float32) @ b.astype(np.float32) * scale)


def test_xf32_rounds_its_factors(rng: Any) -> None:
    """What Triton calls tf32 is v_mfma_f32_.._xf32: 10 bits of mantissa, to the nearest."""
    kernel = stored("triton_kernels", "matmul_xf32_gfx942")
    assert "_xf32 " in kernel.text
    m, n, k = kernel.constants["M"], kernel.constants["N"], 2 * kernel.constants["K"]
    a, b = (rng.normal(size=shape).astype(np.float32) for shape in ((m, k), (k, n)))
    got = _product(kernel, "matmul_xf32_gfx942", a, b, np.float32)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = (np.abs(a) @ np.abs(b)) * 2.0**-10
    assert (np.abs(got - exact) <= bound).all() and (np.abs(got - exact) > bound * 1e-3).any()

"""Launches of the Triton kernels with matrix products, each compared with NumPy.

Sizes leave tails at every edge that a kernel masks or a tensor map clips. Inputs of most products
are small integers, which are exact in every order of summation; other cases state a tolerance.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.devices import Device

HERE = Path(__file__).resolve().parent / "triton"
BF16, E4M3, E5M2 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
E2M1, E8M0 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu
#: CUtensorMapSwizzle, and element types as `tensormap.replace` numbers them.
SWIZZLES = {0: "none", 1: "32b", 2: "64b", 3: "128b"}
ELEMENTS = {0: "uint8", 6: "float16", 7: "float32", 10: "bfloat16", 14: "16u4_align16b"}


class Compiled:
    """One stored kernel: its text, and how a host launches it."""

    def __init__(self, name: str, target: str, folder: Path = HERE) -> None:
        self.path = folder / f"{name}.{target}.ptx"
        about: dict[str, Any] = json.loads(self.path.with_suffix(".json").read_text())
        self.about, self.constants = about, about["constants"]
        self.names = [key for key in about["arguments"] if key not in self.constants]

    def prepare(
        self, device: Device, grid: tuple[int, int, int], **given: Any
    ) -> Callable[[], None]:
        """A launch with arguments by name: numbers, arrays of the device, and `described`."""
        arguments: list[Any] = []
        for key in self.names:
            value = given[key]
            value = np.int32(value) if isinstance(value, int) else value
            arguments += list(value) if isinstance(value, tuple) else [value]
        ctas = self.about.get("cluster", 1)
        grid = (grid[0] * ctas, *grid[1:])
        bytes_each = self.about.get("scratch_bytes", 0)
        scratch = device.zeros(max(16, int(np.prod(grid)) * bytes_each), np.uint8)
        kernel = device.load(self.path)[self.about["entry"]]
        return lambda: kernel(
            grid,
            (self.about["threads"], 1, 1),
            [*arguments, scratch, np.uint64(0)],
            shared_bytes=self.about["shared_bytes"],
            cluster=(ctas, 1, 1),
        )

    def launch(self, device: Device, grid: tuple[int, int, int], **given: Any) -> None:
        """Launch at once."""
        self.prepare(device, grid, **given)()

    def described(self, device: Device, argument: str, array: Any) -> tuple[Any, ...]:
        """A row-major array as Triton passes it: its tensor map, sizes, strides in elements."""
        described = [
            key
            for key in self.names
            if key in ("a", "b", "c", "o", "q", "k", "v") or key.endswith("_scale")
        ]
        about = self.about["tensor_maps"][described.index(argument)]
        sizes = list(array.shape)
        if about["fp4_padded"]:  # elements of 4 bits: the array has two in a byte
            sizes[-1] *= 2
        made = device.tensor_map(
            array,
            about["block_size"],
            dtype=ELEMENTS[about["elem_type"]],
            sizes=sizes,
            strides=[
                int(np.prod(array.shape[i:])) * array.dtype.itemsize for i in range(1, len(sizes))
            ],
            swizzle=SWIZZLES[about["swizzle"]],
            l2_promotion="l2_128b",
        )
        steps = [int(np.prod(array.shape[i + 1 :])) for i in range(len(array.shape))]
        shape = (np.int32(size) for size in array.shape)
        return (made, *shape, *(np.int64(step) for step in steps))

    def tiles(self, m: int, n: int) -> tuple[int, int, int]:
        """A grid with a program for each tile of an m x n result."""
        return -(-m // self.constants["M"]), -(-n // self.constants["N"]), 1


Check = Callable[[Device, Compiled, Any], None]


def whole(rng: Any, dtype: Any, *shape: int) -> Any:
    """Small integers, whose products and sums are exact."""
    return rng.integers(-4, 5, shape).astype(dtype)


def normal(rng: Any, dtype: Any, *shape: int) -> Any:
    """Random numbers, rounded to a type."""
    return rng.normal(size=shape).astype(dtype)


def exact(a: Any, b: Any) -> Any:
    """a @ b.T of numbers of any type, in float64."""
    return a.astype(np.float64) @ b.astype(np.float64).T


def agrees(got: Any, a: Any, b: Any, is_exact: bool) -> bool:
    """Is it a @ b.T: rounded to its type, or f32 within 2^-18 of |a| @ |b|.T?

    Each of some tens of additions loses at most a unit in the last place of f32, 2^-23.
    """
    expected = exact(a, b)
    if is_exact:
        wanted = expected.astype(got.dtype).astype(np.float64)
        return bool(np.array_equal(got.astype(np.float64), wanted))
    size = exact(np.abs(a.astype(np.float64)), np.abs(b.astype(np.float64)))
    return bool(np.all(np.abs(got - expected) <= 2.0**-18 * size))


def _filled(device: Device, dtype: Any, *shape: int) -> Any:
    return device.array(np.full(shape, 99, np.float32).astype(dtype))


# -- products by pointers --------------------------------------------------------------------------
def masked(dtype: Any, out: Any, m: int, n: int, k: int, draw: Any = whole) -> Check:
    """o = a @ b, masked at every edge."""

    def check(device: Device, kernel: Compiled, rng: Any) -> None:
        a, b = draw(rng, dtype, m, k), draw(rng, dtype, k, n)
        o = _filled(device, out, m, n)
        kernel.launch(
            device,
            kernel.tiles(m, n),
            a_ptr=device.array(a),
            b_ptr=device.array(b),
            o_ptr=o,
            m=m,
            n=n,
            k=k,
        )
        assert agrees(o.get(), a, b.T, draw is whole)

    return check


def transposed(dtype: Any, out: Any, draw: Any = whole) -> Check:
    """o = a @ b.T, or by the kernel's own tensor maps; the result alone is masked."""

    def check(device: Device, kernel: Compiled, rng: Any) -> None:
        m, n, k = 128, 256, 192
        a, b = draw(rng, dtype, m, k), draw(rng, dtype, n, k)
        o = _filled(device, out, m, n)
        kernel.launch(
            device,
            kernel.tiles(m, n),
            a_ptr=device.array(a),
            b_ptr=device.array(b),
            o_ptr=o,
            m=m,
            n=n,
            k=k,
        )
        assert agrees(o.get(), a, b, draw is whole)

    return check


def describes(device: Device, kernel: Compiled, rng: Any) -> None:
    """The kernel builds tensor maps in shared memory and publishes them to the tensor proxy."""
    m, n, k = 200, 144, 160
    a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, n, k)
    o = _filled(device, np.float16, m, n)
    kernel.launch(
        device,
        kernel.tiles(m, n),
        a_ptr=device.array(a),
        b_ptr=device.array(b),
        o_ptr=o,
        m=m,
        n=n,
        k=k,
    )
    assert np.array_equal(o.get(), exact(a, b).astype(np.float16))


# -- products through tensor maps ------------------------------------------------------------------
def described(m: int, n: int, k: int, out: Any = np.float16, programs: int = 0) -> Check:
    """o = a @ b.T (plus c): beyond the matrices are zeros, and stores are clipped."""

    def check(device: Device, kernel: Compiled, rng: Any) -> None:
        a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, n, k)
        o = _filled(device, out, m, n)
        arrays, expected = {"a": device.array(a), "b": device.array(b), "o": o}, exact(a, b)
        if "c" in kernel.names:
            c = whole(rng, out, m, n)
            arrays["c"], expected = device.array(c), expected + c
        given = {key: kernel.described(device, key, x) for key, x in arrays.items()}
        grid = (programs, 1, 1) if programs else kernel.tiles(m, n)
        kernel.launch(device, grid, m=m, n=n, k=k, **given)
        assert np.array_equal(o.get(), expected.astype(out))

    return check


def widened(device: Device, kernel: Compiled, rng: Any) -> None:
    """Bytes times bf16, with a tail in n and k."""
    m, n, k = 128, 144, 144
    a, b = whole(rng, np.int8, m, k), whole(rng, BF16, n, k)
    o = _filled(device, np.float32, m, n)
    kernel.launch(
        device,
        kernel.tiles(m, n),
        a_ptr=device.array(a),
        b=kernel.described(device, "b", device.array(b)),
        o_ptr=o,
        n=n,
        k=k,
    )
    assert np.array_equal(o.get(), exact(a, b))


# -- block-scaled products -------------------------------------------------------------------------
_NUMBERS = {"e4m3": E4M3, "e5m2": E5M2, "e2m1": E2M1}


def drawn(rng: Any, form: str, per: int, rows: int, k: int) -> tuple[Any, Any]:
    """Random elements and scales (E8M0 per 32, E4M3 per 16) whose products and sums are exact."""
    kind, choice = (E8M0, [0.5, 1, 2, 4]) if per == 32 else (E4M3, [0.5, 0.75, 1, 1.5, 3])
    scale = rng.choice(choice, (rows, k // per)).astype(kind)
    if form != "e2m1":
        return whole(rng, _NUMBERS[form], rows, k), scale
    return rng.integers(0, 16, (rows, k)).astype(np.uint8).view(E2M1), scale


def quantized(rng: Any, form: str, per: int, rows: int, k: int) -> tuple[Any, Any]:
    """Random numbers in blocks, the largest of which a scale brings to that of the format."""
    kind, most = _NUMBERS[form], float(ml_dtypes.finfo(_NUMBERS[form]).max)
    sizes = 2.0 ** rng.integers(-3, 4, (rows, k // per, 1))
    blocks = rng.normal(size=(rows, k // per, per)) * sizes
    needed = np.abs(blocks).max(axis=2, keepdims=True) / most
    needed = 2.0 ** np.ceil(np.log2(needed)) if per == 32 else needed
    scale = needed.astype(E8M0 if per == 32 else E4M3)
    fitted = np.clip(blocks / scale.astype(np.float64), -most, most)
    return fitted.astype(kind).reshape(rows, k), scale[..., 0]


def packed(x: Any) -> Any:
    """As a kernel gets elements: two of 4 bits in a byte, the first one low."""
    if x.dtype != E2M1:
        return x
    codes = x.view(np.uint8) & 15
    return codes[:, ::2] | codes[:, 1::2] << 4


def unscaled(x: Any, scale: Any, per: int) -> Any:
    """The numbers that elements and scales stand for, in float64."""
    return x.astype(np.float64) * np.repeat(scale.astype(np.float64), per, axis=1)


def in_tiles(scale: Any) -> Any:
    """Scales in tiles of 128 rows by 4 blocks, as tensor memory wants them; ones fill the last.

    Scale (row, block) of a tile is its byte row % 32 * 16 + row / 32 * 4 + block (PTX ISA,
    tcgen05.mma, Scale Factor Layout).
    """
    rows, blocks = -(-scale.shape[0] // 128), -(-scale.shape[1] // 4)
    whole = np.ones((rows * 128, blocks * 4), np.float32).astype(scale.dtype)
    whole[: scale.shape[0], : scale.shape[1]] = scale
    tiles = whole.view(np.uint8).reshape(rows, 4, 32, blocks, 4).transpose(0, 3, 2, 1, 4)
    return np.ascontiguousarray(tiles).reshape(rows, blocks, 2, 256)


def prepare_scaled(
    device: Device, kernel: Compiled, rng: Any, m: int, n: int, k: int, draw: Any = drawn
) -> tuple[Callable[[], None], Any, Any, Any]:
    """A launch, by pointers or with scales in tiles; its result, and the matrices it multiplies."""
    about = kernel.constants
    per, by_map = about["PER"], "tensor_maps" in kernel.about
    a, a_scale = draw(rng, about["A_FORMAT"], per, m, k)
    b, b_scale = draw(rng, about["B_FORMAT"], per, n, k)
    o = _filled(device, np.float16 if by_map else np.float32, m, n)
    raw = {"a": packed(a), "b": packed(b), "a_scale": a_scale, "b_scale": b_scale}
    if by_map:
        raw |= {"a_scale": in_tiles(a_scale), "b_scale": in_tiles(b_scale)}
    arrays = {key: device.array(x.view(np.uint8)) for key, x in raw.items()} | {"o": o}
    given: dict[str, Any] = {f"{key}_ptr": x for key, x in arrays.items()}
    if by_map:
        given = {key: kernel.described(device, key, x) for key, x in arrays.items()}
    launch = kernel.prepare(device, kernel.tiles(m, n), **given, m=m, n=n, k=k)
    return launch, o, unscaled(a, a_scale, per), unscaled(b, b_scale, per)


def scaled(m: int, n: int, k: int, draw: Any = drawn) -> Check:
    """Tails at every edge that is masked or clipped."""

    def check(device: Device, kernel: Compiled, rng: Any) -> None:
        launch, o, a, b = prepare_scaled(device, kernel, rng, m, n, k, draw)
        launch()
        assert agrees(o.get(), a, b, draw is drawn)

    return check


# -- attention -------------------------------------------------------------------------------------
def attention_reference(q: Any, k: Any, v: Any, scale: float, causal: bool) -> tuple[Any, ...]:
    """The weighted v, the weighted |v|, and log2 of the sums, in float64."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    s = q @ k.transpose(0, 2, 1) * scale
    if causal:
        s = np.where(np.tril(np.ones(s.shape[1:], bool)), s, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    p = np.exp(s - top)
    total = p.sum(axis=-1, keepdims=True)
    logs = np.log2(total[..., 0]) + top[..., 0] * np.log2(np.e)
    return p @ v / total, p @ np.abs(v) / total, logs


def prepare_attention(
    device: Device,
    kernel: Compiled,
    rng: Any,
    dtype: Any,
    heads: int,
    length: int,
    out: Any = None,
) -> tuple[Callable[[], None], Callable[[], bool], Any]:
    """A launch on random numbers, whether its result is right, and q, k, v."""
    width, result = kernel.constants["D"], out or dtype
    q, k, v = (rng.normal(size=(heads, length, width)).astype(dtype) for _ in range(3))
    scale = 1 / np.sqrt(width)
    o = device.zeros((heads * length, width), result)
    logs = device.zeros((heads, length), np.float32)
    arrays = {"o": o} | {
        key: device.array(x.reshape(-1, width)) for key, x in (("q", q), ("k", k), ("v", v))
    }
    given: dict[str, Any] = {f"{key}_ptr": x for key, x in arrays.items()}
    if "q" in kernel.names:
        given = {key: kernel.described(device, key, x) for key, x in arrays.items()}
    grid = (-(-length // kernel.constants["M"]), heads, 1)
    launch = kernel.prepare(
        device, grid, lse_ptr=logs, length=length, scale=np.float32(scale), **given
    )

    def is_right() -> bool:
        causal = bool(kernel.constants["CAUSAL"])
        expected, size, sums = attention_reference(q, k, v, scale, causal)
        # half a unit in the last place of p in v's type, of o in its own, and what exp2 adds
        bound = sum(float(ml_dtypes.finfo(kind).eps) / 2 for kind in (dtype, result)) + 2.0**-16
        error = np.abs(o.get().astype(np.float64).reshape(q.shape) - expected)
        return bool(np.all(error <= bound * size) and np.abs(logs.get() - sums).max() <= 1e-4)

    return launch, is_right, (q, k, v)


def attention(dtype: Any, length: int, out: Any = None) -> Check:
    """Two heads of random numbers; p is rounded to v's type, and the result to its own."""

    def check(device: Device, kernel: Compiled, rng: Any) -> None:
        launch, is_right, _ = prepare_attention(device, kernel, rng, dtype, 2, length, out)
        launch()
        assert is_right()

    return check


#: Name of a stored kernel: its launch and its comparison.
CASES: dict[str, Check] = {
    "matmul_f16": masked(np.float16, np.float32, 200, 144, 144),
    "matmul_wide_f16": masked(np.float16, np.float16, 130, 272, 80),
    "matmul_low_f16": masked(np.float16, np.float32, 100, 80, 144),
    "matmul_two_warps_f16": masked(np.float16, np.float16, 100, 48, 96),
    "matmul_bf16": transposed(BF16, BF16),
    "matmul_e4m3": transposed(E4M3, np.float32),
    "matmul_imprecise_e4m3": transposed(E4M3, np.float32),
    "matmul_e5m2": transposed(E5M2, np.float16),
    "matmul_i8": transposed(np.int8, np.int32),
    "matmul_tf32": transposed(np.float32, np.float32),
    "matmul_describes": describes,
    "matmul_described": described(200, 336, 208),
    "matmul_persistent": described(200, 336, 208, programs=3),
    "matmul_specialized": described(200, 336, 208, programs=3),
    "matmul_specialized_128": described(200, 336, 208, programs=2),
    "matmul_two_ctas": described(300, 144, 144),
    "matmul_cancels": described(200, 336, 144),
    "attention_fp16_64": attention(np.float16, 150),
    "attention_fp16_64_causal": attention(np.float16, 150),
    "attention_fp16_128": attention(np.float16, 150),
    "attention_fp16_128_causal": attention(np.float16, 150),
    "attention_bf16_64_causal": attention(BF16, 150),
    "attention_bf16_128": attention(BF16, 150),
    "attention_described_fp16_64_causal": attention(np.float16, 256),
    "attention_specialized_fp16_64": attention(np.float16, 256),
    "attention_specialized_bf16_128_causal": attention(BF16, 256),
    "attention_described_e5m2_64": attention(E5M2, 128, np.float16),
    "matmul_mxfp8": scaled(200, 144, 160),
    "matmul_mxfp8_e5m2": scaled(100, 144, 192),
    "matmul_mxfp8_mxfp4": scaled(200, 112, 160),
    "matmul_mxfp4": scaled(200, 144, 192),
    "matmul_nvfp4": scaled(200, 144, 160),
    "matmul_described_mxfp8": scaled(200, 144, 192),
    "matmul_described_mxfp8_mxfp4": scaled(200, 144, 256),
    "matmul_described_mxfp4": scaled(200, 144, 320),
    "matmul_described_nvfp4": scaled(200, 144, 320),
    "gluon_ring": described(200, 272, 208),
    "gluon_widened": widened,
    "gluon_added": described(200, 272, 144, np.float32),
    "gluon_paired": described(400, 272, 144),
    "gluon_paired_128": described(200, 144, 144),
    "gluon_paired_mxfp8": scaled(400, 144, 192),
    "gluon_paired_nvfp4": scaled(300, 272, 320),
}


#: The same kernels on random numbers.
RANDOM: dict[str, Check] = {
    "matmul_f16": masked(np.float16, np.float32, 130, 80, 144, normal),
    "matmul_e4m3": transposed(E4M3, np.float32, normal),
    "matmul_mxfp8": scaled(130, 80, 160, quantized),
    "matmul_mxfp8_mxfp4": scaled(100, 80, 160, quantized),
    "matmul_mxfp4": scaled(100, 144, 192, quantized),
    "matmul_nvfp4": scaled(130, 80, 160, quantized),
}


def names(target: str) -> list[str]:
    """The cases that are stored for a target."""
    return [name for name in CASES if (HERE / f"{name}.{target}.ptx").exists()]

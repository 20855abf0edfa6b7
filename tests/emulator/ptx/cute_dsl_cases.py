"""Launches of the CuTe DSL kernels with matrix products, each compared with NumPy.

The DSL's host code is left out: what it computes, tensor maps and arguments, is written here from
the tiles that a kernel names. Inputs of products are small integers, whose products and sums are
exact in every order; those of attention say how far the result may be off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.devices import Device
from tests.emulator.ptx.cute_dsl.sizes import ATTENTION, MIXED, PRODUCT, SCALED, WALKED

HERE = Path(__file__).resolve().parent / "cute_dsl"
BF16, E4M3, E2M1 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn
E8M0 = ml_dtypes.float8_e8m0fnu
#: Bytes of shared memory before the first tile: mbarriers, up to the alignment of the tiles.
BARRIERS = 1024
#: What a kernel is given by value of a TiledMma, all zeros: flags (accumulate, negate a and b), and
#: behind them which rows of D are left alone, by one CTA or two, or where scale factors lie.
WGMMA, MMA, PAIR_MMA, SCALED_MMA = (bytes(count) for count in (1, 32, 64, 12))
Check = Callable[[Device, str, str], None]


def launch(
    device: Device,
    name: str,
    target: str,
    grid: tuple[int, int, int],
    threads: int,
    args: Sequence[Any],
    shared_bytes: int,
    cluster: tuple[int, int, int] = (1, 1, 1),
) -> None:
    """Launch the only entry of a stored kernel."""
    path = HERE / f"{name}.{target}.ptx"
    (entry,) = re.findall(r"\.visible \.entry (\w+)", path.read_text())
    kernel = device.load(path)[entry]
    kernel(grid, (threads, 1, 1), args, shared_bytes=shared_bytes, cluster=cluster)


def whole(rng: Any, dtype: Any, *shape: int) -> Any:
    """Small integers."""
    return rng.integers(-4, 5, shape).astype(dtype)


def compare(c: Any, a: Any, b: Any) -> None:
    """c must be a @ b.T, rounded to c's type."""
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    got = c.get()
    assert np.array_equal(got.astype(np.float64), expected.astype(got.dtype).astype(np.float64))


def filled(device: Device, dtype: Any, *shape: int) -> Any:
    """An array of a number that no product gives."""
    return device.array(np.full(shape, 99, np.float32).astype(dtype))


def raw(x: Any) -> Any:
    """8-bit floats as the bytes that tensor maps have a type for."""
    return x.view(np.uint8) if x.dtype.itemsize == 1 else x


# -- products --------------------------------------------------------------------------------------
def product(
    dtype: Any, out: Any, tile: tuple[int, int, int], stages: int = 3, columns: bool = False
) -> Check:
    """c = a @ b.T by a CTA for each tile; with `columns`, b is stored with n contiguous."""

    def check(device: Device, name: str, target: str) -> None:
        rng = np.random.default_rng(17)
        (m, n, k), size = PRODUCT, np.dtype(dtype).itemsize
        a, b = whole(rng, dtype, m, k), whole(rng, dtype, n, k)
        box_b, swizzle_b = (tile[1], tile[2]), "128b"
        if columns:  # parts as wide as the largest swizzle that divides a tile
            wide = 64 if tile[1] % 64 == 0 else 32
            box_b, swizzle_b = (64, wide), f"{2 * wide}b"
        held_b = b.T.copy() if columns else b
        c = filled(device, out, m, n)
        args = (
            WGMMA if target == "sm_90a" else MMA,
            device.tensor_map(device.array(raw(a)), (tile[0], tile[2]), swizzle="128b"),
            device.tensor_map(device.array(raw(held_b)), box_b, swizzle=swizzle_b), c,
        )  # fmt: skip
        shared_bytes = BARRIERS + stages * (tile[0] + tile[1]) * tile[2] * size
        grid = (-(-m // tile[0]), -(-n // tile[1]), 1)
        launch(device, name, target, grid, 128, args, shared_bytes)
        compare(c, a, b)

    return check


def persistent(
    dtype: Any,
    out: Any,
    tile: tuple[int, int, int],
    cluster: tuple[int, int] = (1, 1),
    pair: bool = False,
    clusters: int = 2,
    stages: int = 3,
    by_tma: bool = True,
) -> Check:
    """c = a @ b.T by clusters that take block after block of tiles.

    Every CTA loads its share of what is multicast: the CTAs in a row of the cluster share a tile of
    a, those in a column a tile of b, of which a pair holds one half each.
    """

    def check(device: Device, name: str, target: str) -> None:
        rng = np.random.default_rng(18)
        (m, n, k), size = WALKED, np.dtype(dtype).itemsize
        a, b = whole(rng, dtype, m, k), whole(rng, dtype, n, k)
        rows = tile[0] // (1 + pair) // cluster[1]
        columns = tile[1] // (1 + pair) // (cluster[0] // (1 + pair))
        c = filled(device, out, m, n)
        args = (
            PAIR_MMA if pair else MMA,
            device.tensor_map(device.array(raw(a)), (rows, tile[2]), swizzle="128b"),
            device.tensor_map(device.array(raw(b)), (columns, tile[2]), swizzle="128b"),
            device.tensor_map(c, (128, 32), swizzle="64b"), *([] if by_tma else [c]),
        )  # fmt: skip
        held = stages * (tile[0] + tile[1]) // (1 + pair) * tile[2] * size
        shared_bytes = BARRIERS + 2 * 128 * 32 * 2 + held
        launch(device, name, target, (*cluster, clusters), 192, args, shared_bytes, (*cluster, 1))
        compare(c, a, b)

    return check


def mixed(device: Device, name: str, target: str) -> None:
    """Bytes times bf16, A by way of tensor memory."""
    rng = np.random.default_rng(19)
    m, n, k = MIXED
    a, b = rng.integers(-128, 128, (m, k)).astype(np.int8), whole(rng, BF16, n, k)
    c = filled(device, np.float32, m, n)
    b_map = device.tensor_map(device.array(b), (128, 64), swizzle="128b")
    shared_bytes = BARRIERS + 2 * 128 * 64 * 2
    args = (MMA, device.array(a), b_map, c)
    launch(device, name, target, (m // 128, n // 128, 1), 192, args, shared_bytes)
    compare(c, a, b)


# -- block-scaled products -------------------------------------------------------------------------
def in_blocks(factors: Any) -> Any:
    """Scale factors in blocks of 128 rows by 4, a byte each, as tcgen05.cp.32x128b wants them.

    Factor (row, i) of a block is its byte 16 * (row % 32) + 4 * (row / 32) + i (PTX ISA, tcgen05,
    Layout of the Scale Factors).
    """
    rows, columns = factors.shape
    parts = factors.view(np.uint8).reshape(rows // 128, 4, 32, columns // 4, 4)
    blocks = np.ascontiguousarray(parts.transpose(0, 3, 2, 1, 4))
    return blocks.reshape(rows // 128, columns // 4, 512)


def packed(x: Any) -> Any:
    """Two elements of 4 bits in a byte, the first one low."""
    codes = x.view(np.uint8) & 15
    return codes[:, ::2] | codes[:, 1::2] << 4


def multiply_scaled(
    device: Device,
    name: str,
    target: str,
    operands: Sequence[tuple[Any, Any]],
    tile: tuple[int, int, int],
    pair: bool = False,
) -> Any:
    """c of two matrices of the sizes `SCALED`, each with its factors along k."""
    m, n, k = SCALED
    c = filled(device, np.float32, m, n)
    ctas, maps = 1 + pair, []
    vector = k // operands[0][1].shape[1]
    blocks = tile[2] // vector // 4
    for (x, _), held in zip(operands, (tile[0] // ctas, tile[1] // ctas), strict=True):
        if x.dtype == E2M1:
            maps.append(
                device.tensor_map(
                    device.array(packed(x)),
                    (held, tile[2]),
                    dtype="16u4_align8b",
                    sizes=x.shape,
                    strides=(k // 2,),
                    swizzle="128b",
                )
            )
        else:
            maps.append(device.tensor_map(device.array(raw(x)), (held, tile[2]), swizzle="128b"))
    sa_map = factor_map(device, operands[0][1], blocks)
    sb_map = factor_map(device, operands[1][1], blocks // ctas)
    args = (SCALED_MMA, SCALED_MMA, *maps, sa_map, sb_map, c)
    per_byte = 2 if operands[0][0].dtype == E2M1 else 1
    bytes_each = (tile[0] // ctas + tile[1] // ctas) * tile[2] // per_byte
    shared_bytes = BARRIERS + 2 * (bytes_each + 2 * blocks * 512)
    grid = (m // (tile[0] // ctas), n // tile[1], 1)
    launch(device, name, target, grid, 128, args, shared_bytes, (ctas, 1, 1))
    return c.get()


def scaled(
    dtype: Any, factor: Any, vector: int, tile: tuple[int, int, int], pair: bool = False
) -> Check:
    """c = (a * sa) @ (b * sb).T; a factor scales `vector` elements along k."""

    def check(device: Device, name: str, target: str) -> None:
        rng = np.random.default_rng(20)
        m, n, k = SCALED
        choice = [0.5, 1.0, 2.0, 4.0] if factor is E8M0 else [0.5, 0.75, 1.0, 1.5, 3.0]
        operands, exact = [], []
        for rows in (m, n):
            x = whole(rng, dtype, rows, k)
            if dtype is E2M1:
                x = rng.integers(0, 16, (rows, k)).astype(np.uint8).view(E2M1)
            factors = rng.choice(choice, (rows, k // vector)).astype(factor)
            operands.append((x, factors))
            exact.append(x.astype(np.float64) * np.repeat(factors.astype(np.float64), vector, 1))
        c = multiply_scaled(device, name, target, operands, tile, pair)
        assert np.array_equal(c, exact[0] @ exact[1].T)

    return check


def factor_map(device: Device, factors: Any, blocks: int) -> Any:
    """The map of factors in blocks, as 16-bit integers; a box has so many blocks along k.

    The DSL orders the dimensions by what a box has of them: with one block along k, rows are first.
    """
    held = in_blocks(factors).view(np.uint16)
    rows, columns = held.shape[:2]
    array = device.array(held)
    if blocks > 1:
        return device.tensor_map(array, (1, blocks, 256))
    return device.tensor_map(
        array, (1, 1, 256), sizes=(columns, rows, 256), strides=(512, 512 * columns)
    )


# -- attention -------------------------------------------------------------------------------------
def attention(dtype: Any, width: int, causal: bool, stages: int = 3) -> Check:
    """Random numbers; the weights are rounded to v's type, the result to its own."""

    def check(device: Device, name: str, target: str) -> None:
        rng = np.random.default_rng(21)
        length, heads = ATTENTION
        q, k, v = (rng.normal(size=(heads, length, width)).astype(dtype) for _ in range(3))
        scale = 1 / np.sqrt(width)
        o = filled(device, dtype, heads, length, width)
        maps = [device.tensor_map(device.array(x), (1, 128, 64), swizzle="128b") for x in (q, k, v)]
        args = (np.float32(scale * np.log2(np.e)), MMA, MMA, *maps, o)
        shared_bytes = BARRIERS + (1 + stages) * 128 * width * 2
        launch(device, name, target, (length // 128, heads, 1), 192, args, shared_bytes)
        q, k, v = (x.astype(np.float64) for x in (q, k, v))
        s = q @ k.transpose(0, 2, 1) * scale
        if causal:
            s = np.where(np.tril(np.ones(s.shape[1:], bool)), s, -np.inf)
        p = np.exp(s - s.max(axis=-1, keepdims=True))
        p /= p.sum(axis=-1, keepdims=True)
        # half a unit in the last place of a weight and of the result, and what exp2 adds
        bound = float(ml_dtypes.finfo(dtype).eps) + 2.0**-16
        error = np.abs(o.get().astype(np.float64) - p @ v)
        assert np.all(error <= bound * (p @ np.abs(v)))

    return check


#: Stored kernels with matrix products, by target.
CASES: dict[str, dict[str, Check]] = {
    "sm_90a": {
        "product": product(np.float16, np.float16, (128, 128, 64)),
        "product_columns": product(np.float16, np.float16, (128, 128, 64), columns=True),
    },
    "sm_100a": {
        "product": product(np.float16, np.float16, (128, 128, 64)),
        "product_f16_sums": product(np.float16, np.float16, (128, 64, 64)),
        "product_columns": product(BF16, np.float32, (64, 96, 64), columns=True),
        "product_tf32": product(np.float32, np.float32, (128, 128, 32)),
        "product_e4m3": product(E4M3, np.float32, (128, 128, 128)),
        "product_i8": product(np.int8, np.int32, (128, 128, 128)),
        "persistent": persistent(np.float16, np.float16, (128, 128, 64)),
        "released_early": persistent(np.float16, np.float16, (128, 128, 64), by_tma=False),
        "pair": persistent(BF16, BF16, (256, 128, 64), (2, 1), pair=True),
        "cluster": persistent(E4M3, np.float16, (256, 64, 128), (4, 2), pair=True, clusters=1),
        "mixed": mixed,
        "nvfp4": scaled(E2M1, E4M3, 16, (128, 128, 256)),
        "nvfp4_pair": scaled(E2M1, E4M3, 16, (256, 128, 256), pair=True),
        "mxfp4": scaled(E2M1, E8M0, 32, (128, 128, 256)),
        "mxfp8": scaled(E4M3, E8M0, 32, (128, 128, 128)),
        "attention_bf16_64": attention(BF16, 64, causal=False),
        "attention_f16_128_causal": attention(np.float16, 128, causal=True),
    },
}
#: Stored kernels with a fault of the compiler's own library, and what a hazard must name:
#: `epilogue` of cutlass/utils/gemm/sm100.py hands the accumulator back before the registers of its
#: last tcgen05.ld are used, and without the wait that CuTe DSL's documentation of
#: fence_view_async_tmem_load asks for.
FAULTY = {"released_early.sm_100a": "tcgen05.wait::ld"}

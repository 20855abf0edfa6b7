"""Launches of an earlier held-out set, which the model of `lanemap time` is developed on since.

The emulator and a GPU get the same text; what it computes is tested elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.benching.gemm.problem import Problem as Product
from lanemap.conformance.programs.pipelines import launch as pipeline_launch
from lanemap.conformance.programs.pipelines.shape import shape as pipeline
from lanemap.conformance.programs.pipelines.text import text as pipeline_text
from tests.emulator.ptx import triton_cases
from tests.timing.executed import TARGET, Kernel, benchmark, compiled

SOURCE = Path(__file__).resolve().parent / "earlier.cu"
ONE, GEMM, ATTENTION = "one CTA without memory", "matrix products", "attention forward"
STREAM, SMALL, PIPELINE = "streaming and rows", "irregular or below 10 us", "one CTA, copies, wgmma"
#: Turns and warps of each kernel of earlier.cu.
_ONE_CTA: dict[str, tuple[int, tuple[int, ...]]] = {
    "generator": (64, (1, 8)),
    "orbit": (128, (4, 32)),
    "roots": (64, (1, 16)),
    "bytes": (64, (4, 16)),
    "stencil": (32, (4, 32)),
    "lookup": (64, (1, 8)),
    "voting": (64, (1, 8)),
    "halves": (128, (4, 16)),
    "tiles": (64, (1, 8)),
    "columns": (8, (8,)),
}
_BF16, _E4M3 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn
#: Words of `in` and `out`.
_WORDS = 4096


def _one_cta(name: str, turns: int, warps: int) -> Kernel:
    def launch(device: Any) -> Any:
        given = np.random.default_rng(3).integers(0, 1 << 32, _WORDS, np.uint32)
        out, clocks = device.zeros(_WORDS, np.uint32), device.zeros(2 * warps, np.int64)
        arguments = device.array(given), out, np.int32(turns), clocks
        device.load(compiled(SOURCE))[name](1, 32 * warps, arguments)
        return np.diff(clocks.get().reshape(-1, 2))[:, 0]

    return Kernel(SOURCE.name, lambda: compiled(SOURCE), launch, name)


def _pipeline(number: int) -> Kernel:
    own = pipeline(number)
    return Kernel(
        f"pipeline {number}",
        lambda: pipeline_text(own),
        lambda device: pipeline_launch.launch(device, own) and None,
    )


def _triton(
    name: str, grid: tuple[int, int, int], given: Callable[[Any], dict[str, Any]]
) -> Kernel:
    own = triton_cases.Compiled(name, TARGET)
    return Kernel(
        own.path.name, own.path.read_text, lambda device: own.launch(device, grid, **given(device))
    )


def _values(device: Any, count: int, kind: Any) -> Any:
    """Small numbers of either sign."""
    return device.array((np.arange(count, dtype=np.int64) * 37 % 23 - 11).astype(kind))


def _elementwise(name: str, kinds: str, ctas: int, block: int = 256) -> Kernel:
    """Inputs and outputs of the types of `kinds`, "in:out", and their length where it is asked."""
    types = {"4": np.float32, "2": np.float16, "b": _BF16, "8": _E4M3, "q": np.int64, "i": np.int32}
    words, made = kinds.split(":")
    count = ctas * block

    def given(device: Any) -> dict[str, Any]:
        arrays = {
            key: _values(device, count, types[kind]) if kind != "q" else
            device.array(np.arange(1, count + 1, dtype=np.int64) * 1234567)
            for key, kind in zip(("x_ptr", "y_ptr"), words, strict=False)
        }  # fmt: skip
        outs = {
            key: device.zeros(count, types[kind])
            for key, kind in zip(("o_ptr", "back_ptr"), made, strict=False)
        }
        return {**arrays, **outs, "n": count}

    return _triton(name, (ctas, 1, 1), given)


def _rows(name: str, rows: int, columns: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        vector = _values(device, columns, np.float32)
        return {
            "x_ptr": _values(device, rows * columns, np.float32),
            "o_ptr": device.zeros(rows * columns, np.float32),
            "w_ptr": vector, "b_ptr": vector, "columns": columns, "eps": np.float32(1e-5),
        }  # fmt: skip

    return _triton(name, (rows, 1, 1), given)


def _block(name: str, kind: Any, cells: int, ctas: int = 1, bins: int = 0) -> Kernel:
    """A block of a CTA's own, or several."""

    def given(device: Any) -> dict[str, Any]:
        count = cells * ctas
        outs = {
            key: device.zeros(max(bins, count), np.int32)
            for key in ("sum_ptr", "max_ptr", "argmax_ptr")
        }
        values = (np.arange(count) * 37 % 64).astype(kind)
        return {"x_ptr": device.array(values), "o_ptr": device.zeros(max(bins, count), kind),
                "seed": 7, **outs}  # fmt: skip

    return _triton(name, (ctas, 1, 1), given)


def _product(
    name: str, kind: Any, made: Any, size: tuple[int, int, int], tile: tuple[int, int]
) -> Kernel:
    m, n, k = size

    def given(device: Any) -> dict[str, Any]:
        return {
            "a_ptr": _values(device, m * k, kind), "b_ptr": _values(device, n * k, kind),
            "o_ptr": device.zeros(m * n, made), "m": m, "n": n, "k": k,
        }  # fmt: skip

    return _triton(name, (-(-m // tile[0]), -(-n // tile[1]), 1), given)


def _attention(name: str, kind: Any, length: int, heads: int, width: int, rows: int) -> Kernel:
    def given(device: Any) -> dict[str, Any]:
        cells = heads * length * width
        return {
            **{key: _values(device, cells, kind) for key in ("q_ptr", "k_ptr", "v_ptr")},
            "o_ptr": device.zeros(cells, kind), "lse_ptr": device.zeros(heads * length, np.float32),
            "length": length, "scale": np.float32(0.125),
        }  # fmt: skip

    return _triton(name, (-(-length // rows), heads, 1), given)


_F16, _LARGE = np.float16, (2048, 2048, 2048)
#: Name, types of operands and result, sizes, and the tile of a CTA.
_PRODUCTS: tuple[tuple[str, Any, Any, tuple[int, int, int], tuple[int, int]], ...] = (
    ("matmul_f16", _F16, np.float32, (1024, 1024, 1024), (128, 128)),
    ("matmul_f16", _F16, np.float32, _LARGE, (128, 128)),
    ("matmul_wide_f16", _F16, np.float32, (2048, 2048, 1024), (128, 256)),
    ("matmul_two_warps_f16", _F16, np.float32, (512, 512, 512), (64, 32)),
    ("matmul_i8", np.int8, np.int32, (1024, 1024, 1024), (128, 128)),
    ("matmul_tf32", np.float32, np.float32, (1024, 1024, 512), (128, 128)),
    ("matmul_bf16", _BF16, np.float32, (1024, 1024, 2048), (128, 128)),
)
#: Name, type, length, heads, elements of a row, and rows of Q of a CTA.
_ATTENTIONS: tuple[tuple[str, Any, int, int, int, int], ...] = (
    ("attention_fp16_64", _F16, 2048, 8, 64, 128),
    ("attention_fp16_64_causal", _F16, 1024, 8, 64, 128),
    ("attention_bf16_128", _BF16, 1024, 8, 128, 64),
    ("attention_fp16_128_causal", _F16, 1024, 4, 128, 64),
)


def _all() -> dict[str, dict[str, Kernel]]:
    """By class and name."""
    small, large = 64, 65536
    elementwise = {
        "add_f32": "44:4", "divide_f32": "44:4", "divmod_i64": "qq:q", "gelu_f16": "2:2",
        "silu_bf16": "b:b", "tanh_sin_f32": "4:4", "to_fp8": "4:84",
    }  # fmt: skip
    f32, i32 = np.float32, np.int32
    return {
        ONE: {
            f"{name} {warps}": _one_cta(name, turns, warps)
            for name, (turns, each) in _ONE_CTA.items()
            for warps in each
        },
        PIPELINE: {f"pipeline {number}": _pipeline(number) for number in PIPELINES},
        STREAM: {
            **{f"{name} {large}": _elementwise(name, kinds, large)
               for name, kinds in elementwise.items()},
            "softmax_f32 65536": _rows("softmax_f32", 65536, 512),
            "layer_norm_f32 65536": _rows("layer_norm_f32", 65536, 512),
        },
        SMALL: {
            **{f"{name} {small}": _elementwise(name, kinds, small)
               for name, kinds in elementwise.items()},
            "softmax_f32 256": _rows("softmax_f32", 256, 500),
            "layer_norm_f32 256": _rows("layer_norm_f32", 256, 500),
            "histogram_i32 256": _block("histogram_i32", i32, 256, 256, 64),
            "cumsum_i32 1": _block("cumsum_i32", i32, 512),
            "sort_i32 1": _block("sort_i32", i32, 128),
            "transpose_f16 1": _block("transpose_f16", _F16, 4096),
            "reduce_f32 1": _block("reduce_f32", f32, 1024),
            "collatz_i32 64": _block("collatz_i32", i32, 256, 64),
            "random_f32 64": _block("random_f32", f32, 256, 64),
        },
        GEMM: {
            **{
                f"{name} {m}": _product(name, kind, made, (m, n, k), tile)
                for name, kind, made, (m, n, k), tile in _PRODUCTS
            },
            "ss_gemm 1024x2048x512": benchmark("ss_gemm", Product(1024, 2048, 512)),
            "ts_gemm 1024x1024x1024": benchmark("ts_gemm", Product(1024, 1024, 1024)),
        },
        ATTENTION: {
            f"{name} {length}": _attention(name, kind, length, heads, width, rows)
            for name, kind, length, heads, width, rows in _ATTENTIONS
        },
    }  # fmt: skip


#: Pipelines of one CTA; of those of two, `lanemap time` has other CTAs do what one does.
PIPELINES = tuple(number for number in range(40) if pipeline(number).ctas == 1)[:10]
EARLIER = {
    f"earlier {name}": kernel for kernels in _all().values() for name, kernel in kernels.items()
}
#: Those that read their clock.
WITH_CLOCKS = frozenset(f"earlier {name}" for name in _all()[ONE])

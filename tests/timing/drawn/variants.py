"""What make.py compiles of kernels.py: by name, the kernel, its types, constants and options."""

from __future__ import annotations

from typing import Any, NamedTuple


class Variant(NamedTuple):
    """A kernel of kernels.py; all pointers and `aligned` arguments are multiples of 16.

    `units` says of what others are multiples.
    """

    kernel: str
    types: str
    constants: dict[str, int | str]
    options: dict[str, Any] = {}
    aligned: tuple[str, ...] = ("n", "k", "m", "columns", "half", "rows")
    units: dict[str, int] = {}


def _elementwise(what: str, x: str, o: str, block: int, warps: int) -> Variant:
    return Variant(
        "elementwise",
        f"x_ptr:*{x} y_ptr:*{x} o_ptr:*{o} n:i32",
        {"WHAT": what, "BLOCK": block},
        {"num_warps": warps},
    )


def _rows(kernel: str, kind: str, block: int, warps: int) -> Variant:
    types = {
        "rms_norm": f"x_ptr:*{kind} w_ptr:*{kind} o_ptr:*{kind} columns:i32",
        "log_sum": f"x_ptr:*{kind} o_ptr:*fp32 columns:i32",
        "rotary": f"x_ptr:*{kind} c_ptr:*{kind} s_ptr:*{kind} o_ptr:*{kind} half:i32",
        "gather": f"x_ptr:*{kind} i_ptr:*i32 o_ptr:*{kind} columns:i32",
    }[kernel]
    return Variant(kernel, types, {"BLOCK": block}, {"num_warps": warps})


def _product(m: int, n: int, k: int, stages: int, warps: int) -> Variant:
    return Variant(
        "product",
        "a_ptr:*fp16 b_ptr:*fp16 o_ptr:*fp16 m:i32 n:i32 k:i32 pitch:i32",
        {"M": m, "N": n, "K": k},
        {"num_stages": stages, "num_warps": warps},
        units={"pitch": 8},
    )


VARIANTS = {
    "fused_f32": _elementwise("fused", "fp32", "fp32", 1024, 4),
    "fused_bf16": _elementwise("fused", "bf16", "bf16", 2048, 8),
    "swiglu_f16": _elementwise("swiglu", "fp16", "fp16", 1024, 4),
    "length_f32": _elementwise("length", "fp32", "fp16", 2048, 4),
    "where_f32": _elementwise("where", "fp32", "fp32", 512, 4),
    "rms_norm_f16": _rows("rms_norm", "fp16", 4096, 8),
    "rms_norm_f32": _rows("rms_norm", "fp32", 1024, 4),
    "log_sum_f32": _rows("log_sum", "fp32", 2048, 4),
    "rotary_bf16": _rows("rotary", "bf16", 64, 1),
    "gather_f16": _rows("gather", "fp16", 1024, 4),
    "scatter_add_f32": Variant(
        "scatter_add", "x_ptr:*fp32 i_ptr:*i32 o_ptr:*fp32 n:i32", {"BLOCK": 512}
    ),
    "column_sums_f16": Variant(
        "column_sums", "x_ptr:*fp16 o_ptr:*fp32 rows:i32 columns:i32", {"M": 32, "N": 128}
    ),
    "transpose_f32": Variant(
        "transpose", "x_ptr:*fp32 o_ptr:*fp32 m:i32 n:i32", {"M": 64, "N": 64}
    ),
    "gemv_f16": Variant(
        "gemv", "a_ptr:*fp16 x_ptr:*fp16 o_ptr:*fp32 k:i32", {"N": 4, "K": 512}
    ),
    "product_128_128": _product(128, 128, 64, 3, 4),
    "product_128_128_stages_2": _product(128, 128, 64, 2, 4),
    "product_128_128_stages_4": _product(128, 128, 64, 4, 4),
    "product_128_128_warps_8": _product(128, 128, 64, 3, 8),
    "product_128_256": _product(128, 256, 64, 3, 8),
    "product_64_64": _product(64, 64, 64, 4, 4),
}  # fmt: skip

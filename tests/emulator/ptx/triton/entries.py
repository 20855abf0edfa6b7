"""What build.py compiles: kernels, the types of their arguments, constants and compiler options."""

from __future__ import annotations

from typing import Any, NamedTuple

BOTH, HOPPER, BLACKWELL = ("sm_90a", "sm_100a"), ("sm_90a",), ("sm_100a",)
#: tl.dot_scaled: tcgen05.mma, and mma.sync of RTX 50.
SCALED = ("sm_100a", "sm_120a")
#: The kernels without matrix products, from the repository's tests folder.
PLAIN = "../../../evidence/triton_kernels/kernels.py"
#: PTX 9.0, which the driver of CUDA 13.0 compiles.
_OPTIONS = {"ptx_version": 90}


class Entry(NamedTuple):
    """A kernel of a file beside this one; pointers and `aligned` arguments are multiples of 16."""

    file: str
    kernel: str
    types: str
    constants: dict[str, int | str]
    options: dict[str, Any] = {}
    targets: tuple[str, ...] = BOTH
    aligned: tuple[str, ...] = ("n", "k")


def _plain(kernel: str, types: str, constants: dict[str, int | str], **options: Any) -> Entry:
    return Entry(PLAIN, kernel, types, constants, options, aligned=())


def _matrix(
    kernel: str,
    types: str,
    constants: dict[str, int | str],
    targets: tuple[str, ...] = BOTH,
    **options: Any,
) -> Entry:
    return Entry("matrix_kernels.py", kernel, types, constants, _OPTIONS | options, targets)


# -- kernels without matrix products ---------------------------------------------------------------
_B: dict[str, int | str] = {"BLOCK": 256}
_ELEMENTWISE: dict[str, Entry] = {
    "add_f32": _plain(
        "add_f32", "x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", _B, enable_fp_fusion=False
    ),
    "divide_f32": _plain(
        "divide_f32", "x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", _B, enable_fp_fusion=False
    ),
    "gelu_f16": _plain("gelu_f16", "x_ptr:*fp16 o_ptr:*fp16 n:i32", _B),
    "silu_bf16": _plain("silu_bf16", "x_ptr:*bf16 o_ptr:*bf16 n:i32", _B),
    "tanh_sin_f32": _plain("tanh_sin_f32", "x_ptr:*fp32 o_ptr:*fp32 n:i32", _B),
    "softmax_f32": _plain(
        "softmax_f32", "x_ptr:*fp32 o_ptr:*fp32 columns:i32", {"BLOCK": 512}
    ),
    "layer_norm_f32": _plain(
        "layer_norm_f32",
        "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 o_ptr:*fp32 columns:i32 eps:fp32", {"BLOCK": 512},
    ),
    "reduce_f32": _plain(
        "reduce_f32", "x_ptr:*fp32 sum_ptr:*fp32 max_ptr:*fp32 argmax_ptr:*i32",
        {"BLOCK_M": 16, "BLOCK_N": 64}, num_warps=2,
    ),
    "cumsum_i32": _plain("cumsum_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 512}),
    "sort_i32": _plain("sort_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 128}, num_warps=2),
    "histogram_i32": _plain(
        "histogram_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 256, "BINS": 64}
    ),
    "random_f32": _plain("random_f32", "o_ptr:*fp32 seed:i32", _B, enable_fp_fusion=False),
    "divmod_i64": _plain("divmod_i64", "x_ptr:*i64 y_ptr:*i64 o_ptr:*i64", _B),
    "collatz_i32": _plain("collatz_i32", "x_ptr:*i32 o_ptr:*i32", _B),
    "transpose_f16": _plain("transpose_f16", "x_ptr:*fp16 o_ptr:*fp16", {"BLOCK": 64}),
    "to_fp8": _plain("to_fp8", "x_ptr:*fp32 o_ptr:*fp8e4nv back_ptr:*fp32", _B),
}  # fmt: skip

# -- matrix products -------------------------------------------------------------------------------
_TILE: dict[str, int | str] = {"M": 128, "N": 128, "K": 64}
_POINTERS = "a_ptr:*{0} b_ptr:*{0} o_ptr:*{1} m:i32 n:i32 k:i32"
_DESCRIBED = "a:tensordesc<fp16[{0},64]> b:tensordesc<fp16[128,64]> o:tensordesc<fp16[{0},128]> "
_SIZES = "m:i32 n:i32 k:i32"
_PRODUCTS: dict[str, Entry] = {
    "matmul_f16": _matrix("matmul", _POINTERS.format("fp16", "fp32"), _TILE, num_stages=3),
    "matmul_wide_f16": _matrix(
        "matmul", _POINTERS.format("fp16", "fp16"), _TILE | {"N": 256}, num_stages=3, num_warps=8
    ),
    "matmul_low_f16": _matrix(
        "matmul", _POINTERS.format("fp16", "fp32"), _TILE | {"M": 64, "N": 64}, BLACKWELL,
        num_stages=3,
    ),
    "matmul_two_warps_f16": _matrix(
        "matmul", _POINTERS.format("fp16", "fp16"), {"M": 64, "N": 32, "K": 32}, HOPPER,
        num_warps=2,
    ),
    "matmul_bf16": _matrix(
        "matmul_transposed", _POINTERS.format("bf16", "bf16"), _TILE, num_stages=3
    ),
    "matmul_e4m3": _matrix(
        "matmul_transposed", _POINTERS.format("fp8e4nv", "fp32"), _TILE, num_stages=3
    ),
    "matmul_imprecise_e4m3": _matrix(
        "matmul_imprecise", _POINTERS.format("fp8e4nv", "fp32"), {"M": 64, "N": 32, "K": 64},
        HOPPER, num_stages=3,
    ),
    "matmul_e5m2": _matrix(
        "matmul_transposed", _POINTERS.format("fp8e5", "fp16"), _TILE | {"M": 64, "N": 256},
        BLACKWELL, num_stages=3,
    ),
    "matmul_i8": _matrix(
        "matmul_transposed", _POINTERS.format("i8", "i32"), _TILE, num_stages=3
    ),
    "matmul_tf32": _matrix(
        "matmul_transposed", _POINTERS.format("fp32", "fp32"), _TILE | {"K": 32}, num_stages=3
    ),
    "matmul_described": _matrix(
        "matmul_described", _DESCRIBED.format(128) + "k:i32", _TILE, num_stages=3
    ),
    "matmul_describes": _matrix(
        "matmul_describes", _POINTERS.format("fp16", "fp16"), _TILE, num_stages=3
    ),
    "matmul_persistent": _matrix(
        "matmul_persistent", _DESCRIBED.format(128) + _SIZES, _TILE | {"FLAT": 1}, num_stages=3
    ),
    "matmul_specialized": _matrix(
        "matmul_specialized", _DESCRIBED.format(64) + _SIZES, _TILE | {"M": 64}, num_stages=3
    ),
    "matmul_specialized_128": _matrix(
        "matmul_specialized", _DESCRIBED.format(128) + _SIZES, _TILE, BLACKWELL, num_stages=3
    ),
    "matmul_two_ctas": _matrix(
        "matmul_described", _DESCRIBED.format(256) + "k:i32", _TILE | {"M": 256}, BLACKWELL,
        num_stages=3, num_ctas=2,
    ),
    "matmul_cancels": _matrix(
        "matmul_described", _DESCRIBED.format(128) + "k:i32", _TILE, BLACKWELL, num_stages=3,
        clc=True,
    ),
}  # fmt: skip

# -- attention -------------------------------------------------------------------------------------
_HEADS = "q_ptr:*{0} k_ptr:*{0} v_ptr:*{0} o_ptr:*{0} lse_ptr:*fp32 length:i32 scale:fp32"
_HEADS_DESCRIBED = (
    "q:tensordesc<{0}[128,{1}]> k:tensordesc<{0}[{2},{1}]> v:tensordesc<{0}[{2},{1}]> "
    "o:tensordesc<{3}[128,{1}]> lse_ptr:*fp32 length:i32 scale:fp32"
)


def _attention(kind: str, width: int, causal: int, targets: tuple[str, ...]) -> Entry:
    rows = 128 if width == 64 else 64
    constants: dict[str, int | str] = {"M": rows, "N": 64, "D": width, "CAUSAL": causal}
    return _matrix("attention", _HEADS.format(kind), constants, targets, num_stages=2)


def _attention_described(
    kind: str, width: int, causal: int, roles: int, keys: int = 64, out: str = ""
) -> Entry:
    return Entry(
        "attention_kernels.py",
        "attention_described",
        _HEADS_DESCRIBED.format(kind, width, keys, out or kind),
        {"M": 128, "N": keys, "D": width, "CAUSAL": causal, "ROLES": roles},
        _OPTIONS | {"num_stages": 2 + roles},
        BLACKWELL,
    )


_ATTENTION: dict[str, Entry] = {
    **{
        f"attention_{kind}_{width}{'_causal' * causal}": _attention(kind, width, causal, targets)
        for kind, width, causal, targets in (
            ("fp16", 64, 0, BOTH), ("fp16", 64, 1, HOPPER), ("fp16", 128, 0, HOPPER),
            ("fp16", 128, 1, BOTH), ("bf16", 64, 1, BOTH), ("bf16", 128, 0, BOTH),
        )
    },
    "attention_described_fp16_64_causal": _attention_described("fp16", 64, 1, 0),
    "attention_specialized_fp16_64": _attention_described("fp16", 64, 0, 1),
    "attention_specialized_bf16_128_causal": _attention_described("bf16", 128, 1, 1),
    "attention_described_e5m2_64": _attention_described("fp8e5", 64, 0, 0, out="fp16"),
}  # fmt: skip

# -- block-scaled products -------------------------------------------------------------------------
_SCALED = "a_ptr:*{0} a_scale_ptr:*{2} b_ptr:*{1} b_scale_ptr:*{2} o_ptr:*fp32 m:i32 n:i32 k:i32"
_SCALED_DESCRIBED = (
    "a:tensordesc<{0}[128,{4}]> a_scale:tensordesc<{2}[1,{3},2,256]> "
    "b:tensordesc<{1}[128,{5}]> b_scale:tensordesc<{2}[1,{3},2,256]> "
    "o:tensordesc<fp16[128,128]> k:i32"
)
_FORMS = {"e4m3": "fp8e4nv", "e5m2": "fp8e5", "e2m1": "u8"}


def _formats(a: str, b: str, per: int, depth: int) -> dict[str, int | str]:
    return _TILE | {"K": depth, "PER": per, "A_FORMAT": a, "B_FORMAT": b}


def _scaled(
    a: str, b: str, per: int = 32, depth: int = 128, targets: tuple[str, ...] = SCALED
) -> Entry:
    """Scales per 32 elements are E8M0, which are bytes to Triton, those per 16 are E4M3."""
    return Entry(
        "scaled_kernels.py",
        "matmul_scaled",
        _SCALED.format(_FORMS[a], _FORMS[b], "u8" if per == 32 else "fp8e4nv"),
        _formats(a, b, per, depth),
        _OPTIONS | {"num_stages": 2},
        targets,
    )


def _scaled_described(a: str, b: str, per: int, depth: int) -> Entry:
    scale = "u8" if per == 32 else "fp8e4nv"
    bytes_of = {form: depth // 2 if form == "e2m1" else depth for form in (a, b)}
    types = _SCALED_DESCRIBED.format(
        _FORMS[a], _FORMS[b], scale, depth // per // 4, bytes_of[a], bytes_of[b]
    )
    return Entry(
        "scaled_kernels.py",
        "matmul_scaled_described",
        types,
        _formats(a, b, per, depth),
        _OPTIONS | {"num_stages": 3},
        BLACKWELL,
    )


_BLOCK_SCALED: dict[str, Entry] = {
    "matmul_mxfp8": _scaled("e4m3", "e4m3"),
    "matmul_mxfp8_e5m2": _scaled("e5m2", "e4m3", targets=BLACKWELL),
    "matmul_mxfp8_mxfp4": _scaled("e4m3", "e2m1", targets=BLACKWELL),
    "matmul_mxfp4": _scaled("e2m1", "e2m1"),
    "matmul_nvfp4": _scaled("e2m1", "e2m1", per=16),
    "matmul_described_mxfp8": _scaled_described("e4m3", "e5m2", 32, 128),
    "matmul_described_mxfp8_mxfp4": _scaled_described("e4m3", "e2m1", 32, 128),
    "matmul_described_mxfp4": _scaled_described("e2m1", "e2m1", 32, 256),
    "matmul_described_nvfp4": _scaled_described("e2m1", "e2m1", 16, 256),
}  # fmt: skip

# -- Gluon -----------------------------------------------------------------------------------------
_SPLIT = ",cga_layout=[[1,0]]"


def _tile(name: str, kind: str, rows: int, columns: int, bits: int = 16, more: str = "") -> str:
    return f"{name}:tensordesc<{kind}[{rows},{columns}],NVMMASharedLayout(128,{bits},2{more})> "


def _gluon(kernel: str, types: str, constants: dict[str, int | str], **options: Any) -> Entry:
    return Entry("gluon_kernels.py", kernel, types, constants, _OPTIONS | options, BLACKWELL)


def _paired(rows: int) -> Entry:
    types = _tile("a", "fp16", rows, 64, more=_SPLIT) + _tile("b", "fp16", 128, 64, more=_SPLIT)
    types += _tile("o", "fp16", rows, 128, more=_SPLIT) + "k:i32"
    return _gluon("paired", types, _TILE | {"M": rows}, num_ctas=2)


def _scale_tiles(name: str, kind: str, tiles: int, fours: int, split: int) -> str:
    layout = f"NVMMASharedLayout(0,8,4,cga_layout=[[{split},0,0,0]])"
    return f"{name}:tensordesc<{kind}[{tiles},{fours},2,256],{layout}> "


def _paired_scaled(form: str, per: int, columns: int, depth: int) -> Entry:
    kind, scale = _FORMS[form], "u8" if per == 32 else "fp8e4nv"
    types = _tile("a", kind, 256, 128, 8, _SPLIT)
    types += _scale_tiles("a_scale", scale, 2, depth // per // 4, 1)
    types += _tile("b", kind, columns, 128, 8, _SPLIT)
    types += _scale_tiles("b_scale", scale, columns // 128, depth // per // 4, 0)
    types += _tile("o", "fp16", 256, columns, 16, _SPLIT) + "k:i32"
    constants = _formats(form, form, per, depth) | {"M": 256, "N": columns}
    return _gluon("paired_scaled", types, constants, num_ctas=2)


_OPERANDS = _tile("a", "fp16", 128, 64) + _tile("b", "fp16", 128, 64)
_GLUON: dict[str, Entry] = {
    "gluon_ring": _gluon(
        "ring", _OPERANDS + _tile("o", "fp16", 128, 128) + "k:i32", _TILE | {"STAGES": 3}
    ),
    "gluon_widened": _gluon(
        "widened", "a_ptr:*i8 " + _tile("b", "bf16", 128, 64) + "o_ptr:*fp32 n:i32 k:i32", _TILE
    ),
    "gluon_added": _gluon(
        "added", _OPERANDS + _tile("c", "fp32", 128, 128, 32) + _tile("o", "fp32", 128, 128, 32)
        + "k:i32", _TILE,
    ),
    "gluon_paired": _paired(256),
    "gluon_paired_128": _paired(128),
    "gluon_paired_mxfp8": _paired_scaled("e4m3", 32, 128, 128),
    "gluon_paired_nvfp4": _paired_scaled("e2m1", 16, 256, 256),
}  # fmt: skip

#: What it is stored as: what is compiled.
ENTRIES = {**_ELEMENTWISE, **_PRODUCTS, **_ATTENTION, **_BLOCK_SCALED, **_GLUON}

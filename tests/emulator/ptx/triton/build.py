"""Compile Triton kernels for sm_90a and sm_100a and store the PTX that the back end emits.

    python tests/emulator/ptx/triton/build.py [NAME ..] [--out FOLDER]

needs triton 3.9 and no GPU. The kernels are those of tests/evidence/triton_kernels without matrix
products, for both targets, and those of matrix_kernels.py, for sm_90a. Each makes NAME.TARGET.ptx,
unchanged but for the paths in line tables, and NAME.TARGET.json, which says how to launch it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

TRITON = "3.9"
HERE = Path(__file__).resolve().parent
KERNELS = HERE.parents[2] / "evidence" / "triton_kernels" / "kernels.py"
MATRIX_KERNELS = HERE / "matrix_kernels.py"
TARGETS = {"sm_90a": 90, "sm_100a": 100}
_B = {"BLOCK": 256}
_EXACT = {"enable_fp_fusion": False}
#: Kernel: types of its arguments, constants, compiler options.
ENTRIES: dict[str, tuple[str, dict[str, int], dict[str, Any]]] = {
    "add_f32": ("x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", _B, _EXACT),
    "divide_f32": ("x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", _B, _EXACT),
    "gelu_f16": ("x_ptr:*fp16 o_ptr:*fp16 n:i32", _B, {}),
    "silu_bf16": ("x_ptr:*bf16 o_ptr:*bf16 n:i32", _B, {}),
    "tanh_sin_f32": ("x_ptr:*fp32 o_ptr:*fp32 n:i32", _B, {}),
    "softmax_f32": ("x_ptr:*fp32 o_ptr:*fp32 columns:i32", {"BLOCK": 512}, {}),
    "layer_norm_f32": (
        "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 o_ptr:*fp32 columns:i32 eps:fp32",
        {"BLOCK": 512},
        {},
    ),
    "reduce_f32": (
        "x_ptr:*fp32 sum_ptr:*fp32 max_ptr:*fp32 argmax_ptr:*i32",
        {"BLOCK_M": 16, "BLOCK_N": 64},
        {"num_warps": 2},
    ),
    "cumsum_i32": ("x_ptr:*i32 o_ptr:*i32", {"BLOCK": 512}, {}),
    "sort_i32": ("x_ptr:*i32 o_ptr:*i32", {"BLOCK": 128}, {"num_warps": 2}),
    "histogram_i32": ("x_ptr:*i32 o_ptr:*i32", {"BLOCK": 256, "BINS": 64}, {}),
    "random_f32": ("o_ptr:*fp32 seed:i32", _B, _EXACT),
    "divmod_i64": ("x_ptr:*i64 y_ptr:*i64 o_ptr:*i64", _B, {}),
    "collatz_i32": ("x_ptr:*i32 o_ptr:*i32", _B, {}),
    "transpose_f16": ("x_ptr:*fp16 o_ptr:*fp16", {"BLOCK": 64}, {}),
    "to_fp8": ("x_ptr:*fp32 o_ptr:*fp8e4nv back_ptr:*fp32", _B, {}),
}
_TILE = {"M": 128, "N": 128, "K": 64}
#: PTX 9.0, which the driver of CUDA 13.0 compiles.
_OPTIONS = {"ptx_version": 90}
_STAGES = {"num_stages": 3} | _OPTIONS
_POINTERS = "a_ptr:*{0} b_ptr:*{0} o_ptr:*{1} m:i32 n:i32 k:i32"
_DESCRIBED = "a:tensordesc<fp16[{0},64]> b:tensordesc<fp16[128,64]> o:tensordesc<fp16[{0},128]> "
_SIZES = "m:i32 n:i32 k:i32"
_HEADS = "q_ptr:*{0} k_ptr:*{0} v_ptr:*{0} o_ptr:*{0} lse_ptr:*fp32 length:i32 scale:fp32"


def _attention(width: int, causal: int) -> dict[str, int]:
    return {"M": 128 if width == 64 else 64, "N": 64, "D": width, "CAUSAL": causal}


#: What it is stored as: kernel of matrix_kernels.py, types of its arguments, constants, options.
MATRIX_ENTRIES: dict[str, tuple[str, str, dict[str, int], dict[str, Any]]] = {
    "matmul_f16": ("matmul", _POINTERS.format("fp16", "fp32"), _TILE, _STAGES),
    "matmul_wide_f16": (
        "matmul", _POINTERS.format("fp16", "fp16"), _TILE | {"N": 256}, _STAGES | {"num_warps": 8},
    ),
    "matmul_two_warps_f16": (
        "matmul", _POINTERS.format("fp16", "fp16"), {"M": 64, "N": 32, "K": 32},
        {"num_warps": 2} | _OPTIONS,
    ),
    "matmul_bf16": ("matmul_transposed", _POINTERS.format("bf16", "bf16"), _TILE, _STAGES),
    "matmul_e4m3": ("matmul_transposed", _POINTERS.format("fp8e4nv", "fp32"), _TILE, _STAGES),
    "matmul_i8": ("matmul_transposed", _POINTERS.format("i8", "i32"), _TILE, _STAGES),
    "matmul_tf32": (
        "matmul_transposed", _POINTERS.format("fp32", "fp32"), _TILE | {"K": 32}, _STAGES,
    ),
    "matmul_described": ("matmul_described", _DESCRIBED.format(128) + "k:i32", _TILE, _STAGES),
    "matmul_describes": ("matmul_describes", _POINTERS.format("fp16", "fp16"), _TILE, _STAGES),
    "matmul_persistent": (
        "matmul_persistent", _DESCRIBED.format(128) + _SIZES, _TILE | {"FLAT": 1}, _STAGES,
    ),
    "matmul_specialized": (
        "matmul_specialized", _DESCRIBED.format(64) + _SIZES, _TILE | {"M": 64}, _STAGES,
    ),
    **{
        f"attention_{kind}_{width}{'_causal' * causal}": (
            "attention", _HEADS.format(kind), _attention(width, causal),
            _OPTIONS | {"num_stages": 2},
        )
        for kind, width, causal in (
            ("fp16", 64, 0), ("fp16", 64, 1), ("fp16", 128, 0), ("fp16", 128, 1),
            ("bf16", 64, 1), ("bf16", 128, 0),
        )
    },
}  # fmt: skip


def targets_of(name: str) -> tuple[str, ...]:
    """The targets that a kernel is compiled for."""
    return ("sm_90a",) if name in MATRIX_ENTRIES else tuple(TARGETS)


def _kernels(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"triton_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_entry(name: str, target: str) -> tuple[str, dict[str, Any]]:
    """Return the PTX of one kernel and the description of its launch."""
    if name in MATRIX_ENTRIES:
        path, (function_name, types, constants, options) = MATRIX_KERNELS, MATRIX_ENTRIES[name]
    else:
        path, function_name, (types, constants, options) = KERNELS, name, ENTRIES[name]
    signature = dict(item.split(":", 1) for item in types.split())
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        import triton
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        function = getattr(_kernels(path), function_name)
        whole = {
            key: "constexpr" if key in constants else signature[key] for key in function.arg_names
        }
        aligned = [
            i
            for i, key in enumerate(function.arg_names)
            if signature.get(key, "")[:1] == "*" or (name in MATRIX_ENTRIES and key in ("n", "k"))
        ]
        source = ASTSource(
            function, whole, constants, {(i,): [["tt.divisibility", 16]] for i in aligned}
        )
        options = {"enable_fp_fusion": True} | options
        compiled = triton.compile(
            source, target=GPUTarget("cuda", TARGETS[target], 32), options=options
        )
    text = without_debug(compiled.asm["ptx"])
    made = {
        "entry": compiled.metadata.name,
        "arguments": list(signature),
        "constants": constants,
        "threads": 32 * compiled.metadata.num_warps,
        "shared_bytes": compiled.metadata.shared,
        "triton": triton.__version__,
        "command": f"python tests/emulator/ptx/triton/build.py {name}",
    }
    if compiled.metadata.global_scratch_size:
        made["scratch_bytes"] = compiled.metadata.global_scratch_size
        made["scratch_alignment"] = compiled.metadata.global_scratch_align
    if compiled.metadata.tensordesc_meta:
        made["tensor_maps"] = compiled.metadata.tensordesc_meta
    return text, made


def without_debug(text: str) -> str:
    """Cut DWARF sections, names of inlined functions and the folders of file names; lines stay."""
    text = re.sub(r"\t\.section\t\.debug_\w+\s*\{.*?\}\n?", "", text, flags=re.DOTALL)
    text = re.sub(r", function_name \$\w+(\+\d+)?, inlined_at \d+ \d+ \d+", "", text)
    text = re.sub(r'"[^"\n]*/([^"/\n]+)"', r'"\1"', text)
    return re.sub(r"[ \t]*// [^\n]*:\d+:\d+.*", "", text)


def main() -> int:
    """Compile the named kernels, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ENTRIES, *MATRIX_ENTRIES, []])
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    for name in chosen.names or [*ENTRIES, *MATRIX_ENTRIES]:
        for target in targets_of(name):
            text, made = compile_entry(name, target)
            base = chosen.out / f"{name}.{target}"
            base.with_suffix(f".{target}.ptx").write_text(text)
            description = json.dumps(made, indent=1) + "\n"
            base.with_suffix(f".{target}.json").write_text(description)
    return 0


if __name__ == "__main__":
    sys.exit(main())

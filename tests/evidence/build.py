"""Compile the Triton kernels of this folder for AMD's targets and store what the back end emits.

    python tests/evidence/build.py [NAME ..] [--out FOLDER]

needs triton 3.9 and no GPU. Every kernel makes NAME.amdgcn (the assembly, as Triton gives it,
without line tables, which would name folders of the machine) and NAME.json (what a host needs
to launch it, and what made it).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

TRITON = "3.9"
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Entry:
    """One kernel to compile: its file, function, types, constants, compiler options and target."""

    file: str
    function: str
    signature: dict[str, str]
    constants: dict[str, int]
    options: dict[str, Any] = field(default_factory=dict)
    target: str = "gfx950"

    @property
    def folder(self) -> Path:
        """Where the outputs lie, relative to this folder."""
        return Path(self.file).parent


def _matmul(kind: str, out: str, m: int, n: int, k: int, **options: Any) -> Entry:
    return Entry(
        "triton_kernels/kernels.py",
        "matmul",
        {"a_ptr": f"*{kind}", "b_ptr": f"*{kind}", "o_ptr": f"*{out}", "k_total": "i32"},
        {"M": m, "N": n, "K": k},
        options,
    )


def _simple(function: str, types: str, constants: dict[str, int], **options: Any) -> Entry:
    signature = dict(item.split(":") for item in types.split())
    return Entry("triton_kernels/kernels.py", function, signature, constants, options)


B = {"BLOCK": 256}
EXACT = {"enable_fp_fusion": False}
ENTRIES: dict[str, Entry] = {
    "pv_fp8": Entry(
        "triton_pv/kernel.py",
        "pv_fp8",
        {"p_ptr": "*fp8e4nv", "v_ptr": "*fp8e4nv", "o_ptr": "*fp32", "k_total": "i32"},
        {"BLOCK_M": 64, "BLOCK_D": 64, "BLOCK_K": 64},
        {"num_warps": 2, "num_stages": 1, "matrix_instr_nonkdim": 32},
    ),
    "pv_fp8_staged": Entry(
        "triton_pv/kernel.py",
        "pv_fp8",
        {"p_ptr": "*fp8e4nv", "v_ptr": "*fp8e4nv", "o_ptr": "*fp32", "k_total": "i32"},
        {"BLOCK_M": 64, "BLOCK_D": 64, "BLOCK_K": 64},
        {"num_warps": 4, "num_stages": 2, "matrix_instr_nonkdim": 32},
    ),
    "pv_bf16": _matmul(
        "bf16", "fp32", 64, 64, 32, num_warps=2, num_stages=1, matrix_instr_nonkdim=32
    ),
    "matmul_f16": _matmul(
        "fp16", "fp32", 64, 64, 64, num_warps=4, num_stages=2, matrix_instr_nonkdim=16
    ),
    "matmul_i8": _matmul("i8", "i32", 64, 64, 64, num_warps=4, num_stages=1),
    "matmul_f32": _matmul("fp32", "fp32", 32, 32, 16, num_warps=1, num_stages=1),
    "matmul_f64": _matmul("fp64", "fp64", 32, 32, 16, num_warps=1, num_stages=1),
    "matmul_bf8": _matmul(
        "fp8e5", "fp32", 32, 32, 128, num_warps=1, num_stages=1, matrix_instr_nonkdim=16
    ),
    # With one warp Triton widens to bf16 by v_cvt_scalef32; with four it multiplies scaled.
    "matmul_mxfp4_widened": _simple(
        "matmul_mxfp4",
        "a_ptr:*u8 a_scale_ptr:*u8 b_ptr:*u8 b_scale_ptr:*u8 o_ptr:*fp32",
        {"M": 32, "N": 32, "K": 128},
        num_warps=1,
        num_stages=1,
    ),
    "matmul_mxfp4": _simple(
        "matmul_mxfp4",
        "a_ptr:*u8 a_scale_ptr:*u8 b_ptr:*u8 b_scale_ptr:*u8 o_ptr:*fp32",
        {"M": 32, "N": 32, "K": 128},
        num_warps=4,
        num_stages=1,
    ),
    "attention_bf16": _simple(
        "attention_bf16",
        "q_ptr:*bf16 k_ptr:*bf16 v_ptr:*bf16 o_ptr:*fp32 n_keys:i32",
        {"M": 32, "N": 32, "D": 64},
        num_warps=1,
        num_stages=1,
    ),
    "add_f32": _simple("add_f32", "x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", B, **EXACT),
    "divide_f32": _simple("divide_f32", "x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32", B, **EXACT),
    "gelu_f16": _simple("gelu_f16", "x_ptr:*fp16 o_ptr:*fp16 n:i32", B),
    "silu_bf16": _simple("silu_bf16", "x_ptr:*bf16 o_ptr:*bf16 n:i32", B),
    "tanh_sin_f32": _simple("tanh_sin_f32", "x_ptr:*fp32 o_ptr:*fp32 n:i32", B),
    "softmax_f32": _simple("softmax_f32", "x_ptr:*fp32 o_ptr:*fp32 columns:i32", {"BLOCK": 512}),
    "layer_norm_f32": _simple(
        "layer_norm_f32",
        "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 o_ptr:*fp32 columns:i32 eps:fp32",
        {"BLOCK": 512},
    ),
    "layer_norm_f16": _simple(
        "layer_norm_f16",
        "x_ptr:*fp16 w_ptr:*fp16 b_ptr:*fp16 o_ptr:*fp16 columns:i32 eps:fp32",
        {"BLOCK": 256},
        num_warps=4,
    ),
    "reduce_f32": _simple(
        "reduce_f32",
        "x_ptr:*fp32 sum_ptr:*fp32 max_ptr:*fp32 argmax_ptr:*i32",
        {"BLOCK_M": 16, "BLOCK_N": 64},
        num_warps=2,
    ),
    "cumsum_i32": _simple("cumsum_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 512}),
    "sort_i32": _simple("sort_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 128}, num_warps=2),
    "histogram_i32": _simple("histogram_i32", "x_ptr:*i32 o_ptr:*i32", {"BLOCK": 256, "BINS": 64}),
    "random_f32": _simple("random_f32", "o_ptr:*fp32 seed:i32", B, **EXACT),
    "divmod_i64": _simple("divmod_i64", "x_ptr:*i64 y_ptr:*i64 o_ptr:*i64", B),
    "collatz_i32": _simple("collatz_i32", "x_ptr:*i32 o_ptr:*i32", B),
    "transpose_f16": _simple("transpose_f16", "x_ptr:*fp16 o_ptr:*fp16", {"BLOCK": 64}),
    "to_fp8": _simple("to_fp8", "x_ptr:*fp32 o_ptr:*fp8e4nv back_ptr:*fp32", B),
}


ENTRIES |= {
    f"{name}_gfx942": replace(entry, target="gfx942")
    for name, entry in {
        "matmul_fnuz": _matmul("fp8e4b8", "fp32", 32, 32, 64, num_warps=1, num_stages=1),
        "matmul_bf8_fnuz": _matmul("fp8e5b16", "fp32", 32, 32, 64, num_warps=1, num_stages=1),
        "matmul_bf16": _matmul("bf16", "fp32", 32, 32, 32, num_warps=1, num_stages=1),
        "matmul_xf32": replace(
            _matmul("fp32", "fp32", 32, 32, 16, num_warps=1, num_stages=1), function="matmul_tf32"
        ),
        "quantize_fnuz": _simple(
            "quantize_fp8",
            "x_ptr:*fp32 o_ptr:*fp8e4b8 scale_ptr:*fp32",
            {"MOST": 240, "BLOCK": 256},
            num_warps=1,
            **EXACT,
        ),
    }.items()
}
_LATER = {
    "attention_backward_bf16": _simple(
        "attention_backward_bf16",
        "q_ptr:*bf16 k_ptr:*bf16 v_ptr:*bf16 do_ptr:*bf16 lse_ptr:*fp32 delta_ptr:*fp32 "
        "dq_ptr:*fp32 dk_ptr:*fp32 dv_ptr:*fp32 rows:i32",
        {"M": 32, "D": 64},
        num_warps=2,
        num_stages=1,
    ),
    "moe_f16": _simple(
        "moe_f16",
        "a_ptr:*fp16 b_ptr:*fp16 gate_ptr:*fp32 ids_ptr:*i32 expert_ptr:*i32 o_ptr:*fp32 "
        "tokens:i32 k_total:i32",
        {"M": 16, "N": 64, "K": 32, "TOP": 2},
        num_warps=2,
        num_stages=1,
    ),
    "quantize_i8": _simple(
        "quantize_i8", "x_ptr:*fp32 o_ptr:*i8 scale_ptr:*fp32", B, num_warps=1, **EXACT
    ),
    "matmul_weights_i8": _simple(
        "matmul_weights_i8",
        "a_ptr:*fp16 b_ptr:*i8 scale_ptr:*fp32 o_ptr:*fp32 k_total:i32",
        {"M": 32, "N": 32, "K": 32},
        num_warps=1,
        num_stages=1,
    ),
}
#: Of the kernels above, and of those that gfx950 does not have here, what earlier targets have.
_EARLIER = {
    "gfx942": (
        "matmul_f16", "matmul_i8", "matmul_f32", "matmul_f64", "attention_bf16", "layer_norm_f16",
        "softmax_f32", "reduce_f32", *_LATER,
    ),
    "gfx90a": (
        "matmul_f16", "pv_bf16", "matmul_i8", "matmul_f32", "attention_bf16", "layer_norm_f16",
        "reduce_f32", *_LATER,
    ),
}  # fmt: skip
for _target, _names in _EARLIER.items():
    for _name in _names:
        _entry = (ENTRIES | _LATER)[_name]
        ENTRIES[f"{_name}_{_target}"] = replace(_entry, target=_target)


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"evidence_{path.parent.name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _arguments(text: str, names: list[str]) -> list[dict[str, Any]]:
    """The arguments that a launch passes, in order, from the kernel's metadata.

    Triton appends two scratch pointers; hidden arguments are the launcher's own business.
    """
    kernel = text[text.index(".amdgpu_metadata") :]
    found = re.findall(r"\.offset:\s+(\d+)\s+\.size:\s+(\d+)\s+\.value_kind:\s+(\w+)", kernel)
    found = [row for row in found if not row[2].startswith("hidden_")]
    extra = ["global_scratch", "profile_scratch"]
    return [
        {"name": name, "offset": int(offset), "bytes": int(size), "kind": kind}
        for name, (offset, size, kind) in zip(names + extra, found, strict=True)
    ]


def compile_entry(name: str) -> tuple[str, dict[str, Any]]:
    """The assembly and the description of one kernel."""
    os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
    entry = ENTRIES[name]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        import triton
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        function = getattr(_module(HERE / entry.file), entry.function)
        signature = entry.signature | dict.fromkeys(entry.constants, "constexpr")
        aligned = [i for i, kind in enumerate(entry.signature.values()) if kind[0] == "*"]
        aligned += [i for i, key in enumerate(entry.signature) if key == "k_total"]
        attributes = {(i,): [["tt.divisibility", 16]] for i in aligned}
        source = ASTSource(function, signature, entry.constants, attributes)
        options = {"enable_fp_fusion": True} | entry.options
        target = GPUTarget("hip", entry.target, 64)
        compiled = triton.compile(source, target=target, options=options)
    text = compiled.asm["amdgcn"]
    made = {
        "name": name,
        "entry": compiled.metadata.name,
        "target": entry.target,
        "arguments": _arguments(text, list(entry.signature)),
        "signature": entry.signature,
        "constants": entry.constants,
        "threads": 64 * compiled.metadata.num_warps,
        "shared_bytes": compiled.metadata.shared,
        "options": options,
        "divisible_by_16": [list(entry.signature)[i] for i in sorted(aligned)],
        "source": entry.file,
        "triton": triton.__version__,
        "command": f"python tests/evidence/build.py {name}",
    }
    return text, made


def main() -> int:
    """Compile the named kernels, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(ENTRIES))
    if unknown:
        print(
            f"no kernel named {', '.join(unknown)}; there are {', '.join(ENTRIES)}", file=sys.stderr
        )
        return 2
    for name in options.names or ENTRIES:
        text, made = compile_entry(name)
        folder = options.out / ENTRIES[name].folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.amdgcn").write_text(text)
        (folder / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n")
        print(
            f"{name}: {len(text)} bytes, {made['threads']} threads, "
            f"{made['shared_bytes']} bytes of LDS"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

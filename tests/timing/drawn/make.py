"""Compile the Triton kernels of the held-out set, and store the PTX.

    python tests/timing/drawn/make.py [NAME ..]

needs triton 3.9 and no GPU. Each of variants.py makes NAME.sm_90a.ptx and NAME.sm_90a.json, which
says how to launch it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "emulator/ptx/triton")]
from build import without_debug  # noqa: E402
from variants import VARIANTS, Variant  # noqa: E402

import kernels  # noqa: E402

TARGET = "sm_90a"


def compile_variant(name: str, own: Variant) -> None:
    """Write the text of one kernel and the description of its launch."""
    function = getattr(kernels, own.kernel)
    types = dict(item.split(":", 1) for item in own.types.split())
    whole = {key: "constexpr" if key in own.constants else types[key] for key in function.arg_names}
    units = {key: 16 for key in types if types[key][:1] == "*" or key in own.aligned}
    attributes = {
        (i,): [["tt.divisibility", (units | own.units)[key]]]
        for i, key in enumerate(function.arg_names)
        if key in units | own.units
    }
    source = ASTSource(function, whole, own.constants, attributes)
    options = {"ptx_version": 87} | own.options
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
    about = {
        "entry": made.metadata.name,
        "arguments": list(types),
        "constants": own.constants,
        "threads": 32 * made.metadata.num_warps,
        "shared_bytes": made.metadata.shared,
        "triton": triton.__version__,
        "command": f"python tests/timing/drawn/make.py {name}",
    }
    path = HERE / f"{name}.{TARGET}.ptx"
    path.write_text(without_debug(made.asm["ptx"]))
    path.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or VARIANTS:
        compile_variant(chosen, VARIANTS[chosen])

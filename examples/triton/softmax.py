"""A softmax of rows in Triton, and what its compiler makes of it for two targets.

    python examples/triton/softmax.py

needs Triton 3.9 and no GPU. It writes softmax.sm_90a.ptx and softmax.gfx950.amdgcn beside this
file, the texts that Triton keeps in `asm["ptx"]` and `asm["amdgcn"]`.
"""

import re
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

SIGNATURE = {"x_ptr": "*fp32", "o_ptr": "*fp32", "columns": "i32", "BLOCK": "constexpr"}
TARGETS = {
    "softmax.sm_90a.ptx": ("ptx", GPUTarget("cuda", 90, 32)),
    "softmax.gfx950.amdgcn": ("amdgcn", GPUTarget("hip", "gfx950", 64)),
}


@triton.jit
def softmax(x_ptr, o_ptr, columns, BLOCK: tl.constexpr):
    """Softmax of one row for each program."""
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(x_ptr + tl.program_id(0) * columns + column, mask=inside, other=-float("inf"))
    power = tl.exp(x - tl.max(x, axis=0))
    tl.store(o_ptr + tl.program_id(0) * columns + column, power / tl.sum(power, axis=0), inside)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    for name, (kind, target) in TARGETS.items():
        source = ASTSource(softmax, SIGNATURE, constexprs={"BLOCK": 512})
        options = {"num_warps": 4, "enable_fp_fusion": True}
        made = triton.compile(source, target=target, options=options)
        # Line tables name the folders of this machine.
        text = re.sub(r'"/[^"\n]*/(site-packages/|examples/triton)', r'"\1', made.asm[kind])
        text = re.sub(r"(; |\t)/\S*/examples/triton", r"\1examples/triton", text)
        (here / name).write_text(text)
        print(f"wrote {name}: {made.metadata.shared} bytes of shared memory")

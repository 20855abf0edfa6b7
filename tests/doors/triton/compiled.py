"""A kernel compiled ahead of time; CuPy loads its PTX and launches it, as a host in C++ would."""

import pathlib
import tempfile

import cupy as cp
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def scale(x, y, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)


kinds = {"x": "*fp32", "y": "*fp32", "n": "i32", "factor": "fp32", "BLOCK": "constexpr"}
source = ASTSource(scale, signature=kinds, constexprs={"BLOCK": 128})
compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "scale.ptx")
    path.write_text(compiled.asm["ptx"])
    kernel = cp.RawModule(path=str(path)).get_function(compiled.metadata.name)
n = 300
x = cp.arange(n, dtype=cp.float32)
# broken: out-of-bounds: y = cp.empty(n // 2, dtype=cp.float32)
y = cp.empty(n, dtype=cp.float32)
scratch = (cp.uint64(0), cp.uint64(0))  # of what the kernel does not use
# broken: TypeError: arguments = (x, y, cp.int32(n), 3.0, *scratch)
arguments = (x, y, cp.int32(n), cp.float32(3), *scratch)
kernel((3,), (128,), arguments, shared_mem=compiled.metadata.shared)
cp.testing.assert_array_equal(y, 3 * x)
print("scaled", y[-1])

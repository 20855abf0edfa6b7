"""A RawModule of a file, with options of the compiler, and one of PTX that it made."""

import tempfile
from pathlib import Path

import cupy as cp
import numpy as np

folder = Path(tempfile.mkdtemp())
(folder / "factor.h").write_text("#define FACTOR (SCALE * 2)\n")
(folder / "scale.cu").write_text(r"""
extern "C" __global__ void scale(float *x, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) x[i] *= 6;
}
""")
x = cp.ones(40, dtype=cp.float32)
cp.RawModule(path=str(folder / "scale.cu")).get_function("scale")((2,), (32,), (x, np.int32(40)))
code = (
    '#include "factor.h"\n'
    + r"""
extern "C" __global__ void scale(float *x, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}
"""
)
options = ("-DSCALE=3", f"-I{folder}", "--use_fast_math")
kernel = cp.RawKernel(code, "scale", options)
kernel.compile()
# broken: out-of-bounds: kernel((2,), (32,), (x, np.int32(64)))
kernel((2,), (32,), (x, np.int32(40)))
assert (x == 36).all()
try:
    cp.RawKernel("__global__ void wrong( {", "wrong").compile()
except cp.cuda.compiler.CompileException as error:
    print("refused:", str(error).partition(": ")[2])

"""A RawModule of a file of PTX, and a kernel with options and headers of the script's own."""

import tempfile
from pathlib import Path

import cupy as cp
import numpy as np

folder = Path(tempfile.mkdtemp())
(folder / "factor.h").write_text("#define FACTOR (SCALE * 2)\n")
(folder / "scale.ptx").write_text("""
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u32 n)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .reg .f32 %f<2>;
  .reg .pred %p;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.u32 %p, %r4, %r5;
  @%p ret;
  ld.param.u64 %rd1, [x];
  mad.wide.u32 %rd2, %r4, 4, %rd1;
  ld.global.f32 %f1, [%rd2];
  mul.f32 %f1, %f1, 0f40C00000;
  st.global.f32 [%rd2], %f1;
  ret;
}
""")
x = cp.ones(40, dtype=cp.float32)
scale = cp.RawModule(path=str(folder / "scale.ptx")).get_function("scale")
# broken: out-of-bounds: scale((2,), (32,), (x, np.int32(41)))
scale((2,), (32,), (x, np.int32(40)))
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
(folder / "scale.cu").write_text("__global__ void scale() {}")
try:
    cp.RawModule(path=str(folder / "scale.cu")).get_function("scale")
except cp.cuda.driver.CUDADriverError as error:
    print("refused:", error)
try:
    cp.RawKernel("__global__ void wrong( {", "wrong").compile()
except cp.cuda.compiler.CompileException as error:
    print("refused:", str(error).partition(": ")[2])

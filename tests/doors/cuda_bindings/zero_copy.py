"""Memory of the host that kernels read in place, by the runtime API; a kernel by the driver's."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc, runtime

code = b"""
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  // broken: out-of-bounds: if (i <= n) c[i] = a[i] + b[i];
  if (i < n) c[i] = a[i] + b[i];
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


checked(runtime.cudaSetDevice(0))
properties = checked(runtime.cudaGetDeviceProperties(0))
assert properties.canMapHostMemory
program = checked(nvrtc.nvrtcCreateProgram(code, b"add.cu", 0, [], []))
arch = f"--gpu-architecture=compute_{properties.major}{properties.minor}".encode()
checked(nvrtc.nvrtcCompileProgram(program, 1, [arch]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
library = checked(driver.cuLibraryLoadData(text, [], [], 0, [], [], 0))
kernel = checked(driver.cuLibraryGetKernel(library, b"add"))
n = 4096
size = 4 * n
mapped = runtime.cudaHostAllocMapped
memory = [checked(runtime.cudaHostAlloc(size, mapped)) for _ in range(3)]
a, b, c = (np.frombuffer((ctypes.c_float * n).from_address(each), np.float32) for each in memory)
a[:] = np.arange(n)
b[:] = 3 * np.arange(n)
on_device = [checked(runtime.cudaHostGetDevicePointer(each, 0)) for each in memory]
values = (*on_device, n)
types = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
# broken: RuntimeError: block = 2048
block = 256
grid = n // 256 + 1
checked(driver.cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, 0, 0, (values, types), 0))
checked(runtime.cudaDeviceSynchronize())
np.testing.assert_array_equal(c, a + b)
largest = c.max()
for each in memory:
    checked(runtime.cudaFreeHost(each))
print("added", largest, properties.name.rstrip(b"\0").decode())

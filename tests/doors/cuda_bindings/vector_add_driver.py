"""A sum of vectors by the driver API alone: NVRTC, a module, arguments as values with types."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

code = b"""
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  // broken: out-of-bounds: c[i] = a[i] + b[i];
  if (i < n) c[i] = a[i] + b[i];
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


def compiled(source, arch):
    program = checked(nvrtc.nvrtcCreateProgram(source, b"add.cu", 0, [], []))
    options = [f"--gpu-architecture={arch}".encode(), b"-lineinfo"]
    checked(nvrtc.nvrtcCompileProgram(program, len(options), options))
    text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
    checked(nvrtc.nvrtcGetPTX(program, text))
    return text


checked(driver.cuInit(0))
device = checked(driver.cuDeviceGet(0))
kinds = driver.CUdevice_attribute
major, minor = (
    checked(driver.cuDeviceGetAttribute(each, device))
    for each in (
        kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    )
)
context = checked(driver.cuCtxCreate(None, 0, device))
module = checked(driver.cuModuleLoadData(np.char.array(compiled(code, f"compute_{major}{minor}"))))
kernel = checked(driver.cuModuleGetFunction(module, b"add"))
n = 50000
a = np.random.default_rng(0).random(n, dtype=np.float32)
b = np.random.default_rng(1).random(n, dtype=np.float32)
c = np.zeros_like(a)
d_a, d_b, d_c = (checked(driver.cuMemAlloc(a.nbytes)) for _ in range(3))
checked(driver.cuMemcpyHtoD(d_a, a, a.nbytes))
checked(driver.cuMemcpyHtoD(d_b, b, b.nbytes))  # broken: undefined
arguments = (d_a, d_b, d_c, n), (None, None, None, ctypes.c_int)
checked(driver.cuLaunchKernel(kernel, -(-n // 256), 1, 1, 256, 1, 1, 0, 0, arguments, 0))
checked(driver.cuCtxSynchronize())
checked(driver.cuMemcpyDtoH(c, d_c, c.nbytes))
np.testing.assert_array_equal(c, a + b)
for each in (d_a, d_b, d_c):
    checked(driver.cuMemFree(each))
checked(driver.cuModuleUnload(module))
checked(driver.cuCtxDestroy(context))
print("added", c[:3])

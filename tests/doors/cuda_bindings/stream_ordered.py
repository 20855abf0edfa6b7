"""Memory that is allocated and freed in the order of a stream, from a pool with attributes."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc, runtime

code = b"""
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] = a[i] + b[i];
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


checked(runtime.cudaSetDevice(0))
properties = checked(runtime.cudaGetDeviceProperties(0))
assert properties.memoryPoolsSupported
program = checked(nvrtc.nvrtcCreateProgram(code, b"add.cu", 0, [], []))
arch = f"--gpu-architecture=compute_{properties.major}{properties.minor}".encode()
checked(nvrtc.nvrtcCompileProgram(program, 1, [arch]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
module = checked(driver.cuModuleLoadData(text))
kernel = checked(driver.cuModuleGetFunction(module, b"add"))
n = 10000
a = np.random.default_rng(0).random(n, dtype=np.float32)
b = np.random.default_rng(1).random(n, dtype=np.float32)
c = np.zeros_like(a)
stream = checked(runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking))
pool = checked(driver.cuDeviceGetDefaultMemPool(0))
threshold = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
checked(driver.cuMemPoolSetAttribute(pool, threshold, driver.cuuint64_t(2**64 - 1)))
start, end = (checked(runtime.cudaEventCreate()) for _ in range(2))
checked(runtime.cudaEventRecord(start, stream))
to_device, to_host = (
    runtime.cudaMemcpyKind.cudaMemcpyHostToDevice,
    runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost,
)
for turn in range(3):
    x, y, z = (checked(runtime.cudaMallocAsync(a.nbytes, stream)) for _ in range(3))
    checked(runtime.cudaMemcpyAsync(x, a, a.nbytes, to_device, stream))
    checked(runtime.cudaMemcpyAsync(y, b, b.nbytes, to_device, stream))  # broken: undefined
    types = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    # broken: out-of-bounds: arguments = (x, y, z, n + 1), types
    arguments = (x, y, z, n), types
    checked(driver.cuLaunchKernel(kernel, 20, 1, 1, 256, 1, 1, 0, stream, arguments, 0))
    # broken: RuntimeError: checked(runtime.cudaFreeAsync(y + 4, stream))
    checked(runtime.cudaFreeAsync(y, stream))
    checked(runtime.cudaFreeAsync(x, stream))
    checked(runtime.cudaMemcpyAsync(c, z, c.nbytes, to_host, stream))
    checked(runtime.cudaFreeAsync(z, stream))
    checked(runtime.cudaStreamSynchronize(stream))
    np.testing.assert_array_equal(c, a + b)
    a += turn
checked(runtime.cudaEventRecord(end, stream))
checked(runtime.cudaEventSynchronize(end))
checked(runtime.cudaStreamDestroy(stream))
print("added", c[:2].round(2))

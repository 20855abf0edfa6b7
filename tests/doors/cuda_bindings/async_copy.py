"""A matrix product whose tiles come by asynchronous copies, two stages deep."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

code = b"""
#define TILE 16
__device__ void copy(float *to, const float *from) {
  unsigned shared = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
extern "C" __global__ void product(float *c, const float *a, const float *b, int k, int n) {
  __shared__ float x[2][TILE][TILE], y[2][TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx, tiles = k / TILE;
  copy(&x[0][ty][tx], &a[row * k + tx]);
  copy(&y[0][ty][tx], &b[ty * n + column]);
  commit();
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    int now = tile % 2, next = 1 - now;
    if (tile + 1 < tiles) {
      copy(&x[next][ty][tx], &a[row * k + (tile + 1) * TILE + tx]);
      copy(&y[next][ty][tx], &b[((tile + 1) * TILE + ty) * n + column]);
    }
    commit();
    // broken: pending: asm volatile("cp.async.wait_group 2;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += x[now][ty][i] * y[now][i][tx];
    __syncthreads();  // broken: order
  }
  c[row * n + column] = sum;
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


checked(driver.cuInit(0))
device = checked(driver.cuDeviceGet(0))
context = checked(driver.cuDevicePrimaryCtxRetain(device))
checked(driver.cuCtxSetCurrent(context))
program = checked(nvrtc.nvrtcCreateProgram(code, b"product.cu", 0, [], []))
checked(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
module = checked(driver.cuModuleLoadData(text))
kernel = checked(driver.cuModuleGetFunction(module, b"product"))
m, n, k = 64, 48, 80
rng = np.random.default_rng(2)
a = rng.integers(-4, 5, (m, k)).astype(np.float32)
b = rng.integers(-4, 5, (k, n)).astype(np.float32)
c = np.zeros((m, n), np.float32)
stream = checked(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING))
d_a, d_b, d_c = (checked(driver.cuMemAlloc(each.nbytes)) for each in (a, b, c))
checked(driver.cuMemcpyHtoDAsync(d_a, a, a.nbytes, stream))
checked(driver.cuMemcpyHtoDAsync(d_b, b, b.nbytes, stream))
config = driver.CUlaunchConfig()
config.gridDimX, config.gridDimY, config.gridDimZ = n // 16, m // 16, 1
config.blockDimX, config.blockDimY, config.blockDimZ = 16, 16, 1
config.hStream = stream
types = (None, None, None, ctypes.c_int, ctypes.c_int)
# broken: out-of-bounds: arguments = (d_c, d_a, d_b, k + 16, n), types
arguments = (d_c, d_a, d_b, k, n), types
checked(driver.cuLaunchKernelEx(config, kernel, arguments, 0))
checked(driver.cuMemcpyDtoHAsync(c, d_c, c.nbytes, stream))
checked(driver.cuStreamSynchronize(stream))
np.testing.assert_array_equal(c, a @ b)
print("product", c[0, :3])

"""Conjugate gradients of one cooperative launch, for a tridiagonal matrix of compressed rows."""

import ctypes
import os

import numpy as np
from cuda.bindings import driver, nvrtc, runtime
from cuda.pathfinder import find_nvidia_header_directory

code = b"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void multiply(const int *rows, const int *columns, const float *values, const float *x,
                         float *y, int n, cg::grid_group &grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    float sum = 0;
    for (int j = rows[i]; j < rows[i + 1]; ++j) sum += values[j] * x[columns[j]];
    y[i] = sum;
  }
}
__device__ void dot(const float *x, const float *y, double *result, int n, cg::grid_group &grid) {
  double sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += (double)x[i] * y[i];
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  // broken: order: if (threadIdx.x % 32 == 0) *result += sum;
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}
extern "C" __global__ void solve(const int *rows, const int *columns, const float *values, float *x,
                                 float *r, float *p, float *y, double *sums, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i];
  dot(r, r, &sums[0], n, grid);
  grid.sync();
  for (int step = 0; step < steps; ++step) {
    double *now = sums + 2 * step;
    multiply(rows, columns, values, p, y, n, grid);
    dot(p, y, &now[1], n, grid);
    grid.sync();
    float a = (float)(now[0] / now[1]);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      x[i] += a * p[i];
      r[i] -= a * y[i];
    }
    dot(r, r, &now[2], n, grid);
    grid.sync();
    float b = (float)(now[2] / now[0]);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + b * p[i];
    grid.sync();  // broken: order
  }
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


def include_path():
    """The toolkit's folder, or what its packages from PyPI bring."""
    home = os.environ.get("CUDA_PATH", os.environ.get("CUDA_HOME"))
    if home:
        return [f"{home}/include", f"{home}/include/cccl"]
    return [find_nvidia_header_directory(name) for name in ("cudart", "cccl")]


checked(runtime.cudaSetDevice(0))
properties = checked(runtime.cudaGetDeviceProperties(0))
assert properties.cooperativeLaunch
program = checked(nvrtc.nvrtcCreateProgram(code, b"solve.cu", 0, [], []))
options = [f"--gpu-architecture=compute_{properties.major}{properties.minor}", "--std=c++17"]
options += [f"-I{each}" for each in include_path()]
checked(nvrtc.nvrtcCompileProgram(program, len(options), [each.encode() for each in options]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
module = checked(driver.cuModuleLoadData(text))
kernel = checked(driver.cuModuleGetFunction(module, b"solve"))
n, steps = 200, 12
rng = np.random.default_rng(3)
off = rng.random(n - 1)
matrix = np.diag(rng.random(n) + 3) + np.diag(off, 1) + np.diag(off, -1)
right = np.ones(n)
columns = [np.flatnonzero(row) for row in matrix]
rows = np.cumsum([0, *map(len, columns)])


def managed(values):
    """The same values in managed memory: its address, and an array of it."""
    address = checked(runtime.cudaMallocManaged(values.nbytes, runtime.cudaMemAttachGlobal))
    kind = ctypes.c_byte * values.nbytes
    array = np.frombuffer(kind.from_address(address), values.dtype)
    array[:] = values
    return address, array


arrays = [
    managed(rows.astype(np.int32)), managed(np.concatenate(columns).astype(np.int32)),
    managed(matrix[matrix != 0].astype(np.float32)), managed(np.zeros(n, np.float32)),
    managed(right.astype(np.float32)), managed(np.zeros(n, np.float32)),
    managed(np.zeros(n, np.float32)), managed(np.zeros(2 * steps + 2)),
]  # fmt: skip
pointers = [address for address, _ in arrays]
# broken: out-of-bounds: values = (*pointers, n + 1, steps)
values = (*pointers, n, steps)
arguments = values, (*[ctypes.c_void_p] * 8, ctypes.c_int, ctypes.c_int)
checked(driver.cuLaunchCooperativeKernel(kernel, 3, 1, 1, 64, 1, 1, 0, 0, arguments))
checked(runtime.cudaDeviceSynchronize())
np.testing.assert_allclose(arrays[3][1], np.linalg.solve(matrix, right), rtol=1e-3)
print("residual below 1e-3", arrays[7][1][2 * steps] < 1e-6)

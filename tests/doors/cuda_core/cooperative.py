"""A grid that synchronizes: steps of a stencil, an attribute that allows more shared memory."""

import os

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)
from cuda.pathfinder import find_nvidia_header_directory

code = r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void smooth(float *x, float *y, int n, int steps) {
  extern __shared__ float around[];
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), t = threadIdx.x;
  for (int step = 0; step < steps; ++step) {
    around[t + 1] = x[i];
    if (t == 0) around[0] = x[(i + n - 1) % n];
    if (t == blockDim.x - 1) around[t + 2] = x[(i + 1) % n];
    __syncthreads();  // broken: order
    y[i] = 0.25f * around[t] + 0.5f * around[t + 1] + 0.25f * around[t + 2];
    // broken: order: __syncthreads();
    grid.sync();
    float *other = x; x = y; y = other;
  }
}
"""


def include_path():
    """The toolkit's folder, or what its packages from PyPI bring."""
    home = os.environ.get("CUDA_PATH", os.environ.get("CUDA_HOME"))
    if home:
        return [f"{home}/include", f"{home}/include/cccl"]
    return [find_nvidia_header_directory(name) for name in ("cudart", "cccl")]


dev = Device()
dev.set_current()
stream = dev.create_stream()
options = ProgramOptions(arch=f"sm_{dev.arch}", std="c++17", include_path=include_path())
kernel = Program(code, "c++", options=options).compile("ptx").get_kernel("smooth")
n, steps = 512, 6
x = LegacyPinnedMemoryResource().allocate(4 * n, stream=stream)
y = dev.allocate(4 * n, stream=stream)
values = np.from_dlpack(x).view(np.float32)
start = np.zeros(n, np.float32)
start[::64] = 64
values[:] = start
config = LaunchConfig(grid=4, block=128, shmem_size=4 * 130, is_cooperative=True)
launch(stream, config, kernel, x, y, np.int32(n), np.int32(steps))
stream.sync()
for _ in range(steps):
    start = 0.25 * np.roll(start, 1) + 0.5 * start + 0.25 * np.roll(start, -1)
np.testing.assert_array_equal(values, start)
print("smoothed", values[:3])

"""A grid that synchronizes, by cooperative groups: sums of parts, and then of the parts' sums."""

import warnings

import cupy as cp

code = r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void total(const int *x, int *parts, int *sum) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  int value = x[grid.thread_rank()];
  for (int step = 16; step > 0; step /= 2) value += warp.shfl_down(value, step);
  if (threadIdx.x == 0) parts[blockIdx.x] = value;
  grid.sync();  // broken: order
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x; ++i) all += parts[i];
    *sum = all;
  }
}
extern "C" __global__ void count(int *ctas) {
  if (cg::this_grid().thread_rank() == 0) *ctas = gridDim.x;
}
"""
# broken: CUDADriverError: total = cp.RawKernel(code, "total")
total = cp.RawKernel(code, "total", enable_cooperative_groups=True)
x = cp.arange(256, dtype=cp.int32)
parts, result = cp.empty(8, dtype=cp.int32), cp.empty(1, dtype=cp.int32)
total((8,), (32,), (x, parts, result))
assert int(result[0]) == 255 * 256 // 2 == int(x.sum())
count = cp.RawKernel(code, "count", enable_cooperative_groups=True)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    count((1 << 20,), (1024,), (parts,))
attributes = cp.cuda.Device().attributes
assert "reduced from 1048576" in str(told[0].message)
assert int(parts[0]) == 2 * attributes["MultiProcessorCount"]
try:
    total((1 << 20, 2), (32,), (x, parts, result))
except Exception as error:
    print("refused:", type(error).__name__)
print("total", result[0])

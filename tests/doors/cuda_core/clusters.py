"""Clusters of CTAs: dimensions by cooperative groups, a histogram in distributed memory."""

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
extern "C" __global__ void sizes(unsigned *grid, unsigned *cluster, unsigned *block) {
  auto g = cg::this_grid();
  if (g.thread_rank() == 0) {
    grid[0] = g.dim_blocks().x;
    cluster[0] = cg::this_cluster().dim_blocks().x;
    block[0] = cg::this_thread_block().dim_threads().x;
  }
}
// Each CTA of a cluster has a quarter of the bins.
extern "C" __global__ void histogram(unsigned *bins, const int *x, int n) {
  __shared__ unsigned part[32];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 32) part[threadIdx.x] = 0;
  cluster.sync();  // broken: order
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) {
    int bin = x[i];
    atomicAdd(cluster.map_shared_rank(part, bin / 32) + bin % 32, 1u);
  }
  cluster.sync();
  int i = threadIdx.x;
  if (i < 32) atomicAdd(&bins[32 * cluster.block_rank() + i], part[i]);
}
"""


def include_path():
    """The toolkit's folder, or what its packages from PyPI bring."""
    home = os.environ.get("CUDA_PATH", os.environ.get("CUDA_HOME"))
    if home:
        return [f"{home}/include", f"{home}/include/cccl"]
    return [find_nvidia_header_directory(name) for name in ("cudart", "cccl")]


dev = Device()
assert dev.compute_capability >= (9, 0)
dev.set_current()
stream = dev.default_stream
options = ProgramOptions(arch=f"sm_{dev.arch}", std="c++17", include_path=include_path())
module = Program(code, code_type="c++", options=options).compile("ptx")
host = LegacyPinnedMemoryResource()


def pinned(count, dtype=np.uint32):
    buffer = host.allocate(4 * count, stream=stream)
    array = np.from_dlpack(buffer).view(dtype)
    array[:] = 0
    return buffer, array


(grid, blocks), (cluster, in_cluster), (block, threads) = pinned(3), pinned(3), pinned(3)
config = LaunchConfig(grid=4, cluster=2, block=32)
launch(stream, config, module.get_kernel("sizes"), grid, cluster, block)
dev.sync()
assert (blocks[0], in_cluster[0], threads[0]) == (8, 2, 32)
n = 3000
buffer, x = pinned(n, np.int32)
bins, counts = pinned(128)
x[:] = np.random.default_rng(1).integers(0, 128, n)
# broken: out-of-bounds: config = LaunchConfig(grid=4, cluster=2, block=64)
config = LaunchConfig(grid=2, cluster=4, block=64)
launch(stream, config, module.get_kernel("histogram"), bins, buffer, np.int32(n))
dev.sync()
np.testing.assert_array_equal(counts, np.bincount(x, minlength=128))
print("counted", counts.sum())

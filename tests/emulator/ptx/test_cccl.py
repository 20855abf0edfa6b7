"""What CTAs say to one another through NVIDIA's own headers: cooperative groups, libcu++, CUB.

The expectations are NumPy's; that the emulator finds no hazard in code that others wrote for GPUs
is what counts. Relaxed orders in the place of the right ones are found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.toolchain.places import include_folders
from tests.emulator.ptx.cuda import ptx

pytestmark = pytest.mark.skipif(
    not any((folder / "cub" / "cub.cuh").exists() for folder in include_folders()),
    reason="the headers of cooperative groups, libcu++ and CUB are not here (extra `nvidia`)",
)

CLUSTER = r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned values[128];
  auto cluster = cg::this_cluster();
  unsigned t = threadIdx.x, next = (cluster.block_rank() + 1) % cluster.num_blocks();
  values[t] = blockIdx.x * 1000 + t;
  cluster.sync();
  unsigned *theirs = cluster.map_shared_rank(values, next);
  out[blockIdx.x * 128 + t] = theirs[t] + 100000 * cluster.query_shared_rank(theirs);
  LAST
}
"""
GRID = r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *a, unsigned *b, int split) {
  auto grid = cg::this_grid();
  unsigned t = grid.thread_rank(), n = grid.size();
  a[t] = 3 * t + 1;
  if (!grid.is_valid()) return;
  grid.sync();
  b[t] = a[(t + blockDim.x) % n];
  if (split) {
    auto token = grid.barrier_arrive();
    LATE
    grid.barrier_wait(static_cast<decltype(token) &&>(token));
  } else {
    grid.sync();
  }
  a[t] = b[(t + 5 * blockDim.x) % n];
}
"""
LOCK = r"""
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *word, unsigned *data, unsigned n) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> lock(*word);
  if (threadIdx.x) return;
  for (unsigned i = 0; i < n; i++) {
    while (lock.exchange(1, cuda::memory_order_TAKE)) {}
    data[0] = data[0] * 3 + 1;
    data[1] += blockIdx.x;
    lock.store(0, cuda::memory_order_GIVE);
  }
}
"""
FLAGS = r"""
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *flags, unsigned *data, unsigned *out) {
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  unsigned t = threadIdx.x, other = (blockIdx.x + 1) % gridDim.x;
  data[blockIdx.x * 64 + t] = blockIdx.x * 100 + t;
  __syncthreads();
  if (t == 0) {
    Flag mine(flags[blockIdx.x]), theirs(flags[other]);
    BEFORE
    mine.store(1, cuda::memory_order_GIVE);
    mine.notify_all();
    theirs.wait(0, cuda::memory_order_TAKE);
    BEHIND
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = data[other * 64 + t];
}
"""
FENCE = "cuda::atomic_thread_fence(cuda::memory_order_{}, cuda::thread_scope_device);"
SCAN = r"""
#include <cub/block/block_scan.cuh>
#include <cub/agent/single_pass_scan_operators.cuh>
using States = cub::ScanTileState<TYPE>;
using Scan = cub::BlockScan<TYPE, 128>;
using Prefix = cub::TilePrefixCallbackOp<TYPE, cuda::std::plus<>, States>;
extern "C" __global__ void prepare(void *room, int tiles) {
  States states;
  states.Init(tiles, room, 0);
  states.InitializeStatus(tiles);
}
extern "C" __global__ void k(void *room, int tiles, const TYPE *in, TYPE *out, int backwards) {
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Prefix::TempStorage prefixes;
  States states;
  states.Init(tiles, room, 0);
  int tile = backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  TYPE value = in[tile * 128 + threadIdx.x];
  if (tile == 0) {
    TYPE all;
    Scan(scan).InclusiveSum(value, value, all);
    if (threadIdx.x == 0) states.SetInclusive(0, all);
  } else {
    Prefix prefix(states, prefixes, cuda::std::plus<>{}, tile);
    Scan(scan).InclusiveSum(value, value, prefix);
  }
  out[tile * 128 + threadIdx.x] = value;
}
"""


def opened(source: str, **words: str) -> tuple[Any, Any]:
    """A device, and the module of a source with words of it replaced."""
    for word, text in words.items():
        source = source.replace(word, text)
    device = lanemap.open_device("sm_90a", device="emulator")
    return device, device.load(ptx(source))


@pytest.mark.parametrize("ctas", [2, 4, 8])
def test_cooperative_groups_cluster(ctas: int) -> None:
    device, module = opened(CLUSTER, LAST="cluster.sync();")
    out = device.empty(8 * 128, np.uint32)
    module["k"](8, 128, (out,), cluster=ctas)
    cta = np.arange(8)
    rank = (cta + 1) % ctas
    other = cta // ctas * ctas + rank
    expected = (other * 1000 + rank * 100000)[:, None] + np.arange(128)
    assert np.array_equal(out.get().reshape(8, 128), expected)


def test_cooperative_groups_cluster_that_ends_early() -> None:
    device, module = opened(CLUSTER, LAST="")
    with pytest.raises(Hazard) as caught:
        module["k"](8, 128, (device.empty(8 * 128, np.uint32),), cluster=4)
    assert caught.value.kind == "ended-cta"


@pytest.mark.parametrize("split", [0, 1])
def test_cooperative_groups_grid(split: int) -> None:
    device, module = opened(GRID, LATE="")
    a, b = (device.zeros(24 * 64, np.uint32) for _ in range(2))
    for _ in range(2):  # the barrier's word is what the launch before left
        module["k"](24, 64, (a, b, np.int32(split)))
    thread = np.arange(24 * 64)
    assert np.array_equal(a.get(), np.roll(np.roll(3 * thread + 1, -64), -5 * 64))


def test_cooperative_groups_grid_that_writes_too_late() -> None:
    device, module = opened(GRID, LATE="b[t] = 0;")
    a, b = (device.zeros(24 * 64, np.uint32) for _ in range(2))
    with pytest.raises(Hazard) as caught:
        module["k"](24, 64, (a, b, np.int32(1)))
    assert caught.value.kind == "order"


def locked(take: str, give: str) -> list[int]:
    device, module = opened(LOCK, TAKE=take, GIVE=give)
    data = device.zeros(2, np.uint32)
    module["k"](6, 32, (device.zeros(1, np.uint32), data, np.uint32(3)))
    return [int(word) for word in data.get()]


def test_spin_lock() -> None:
    first = 0
    for _ in range(18):
        first = 3 * first + 1
    assert locked("acquire", "release") == [first % 2**32, 3 * sum(range(6))]


@pytest.mark.parametrize(("take", "give"), [("relaxed", "release"), ("acquire", "relaxed")])
def test_spin_lock_that_orders_nothing(take: str, give: str) -> None:
    with pytest.raises(Hazard) as caught:
        locked(take, give)
    assert caught.value.kind == "order"


def flagged(take: str, give: str, before: str = "", behind: str = "") -> np.ndarray:
    device, module = opened(FLAGS, TAKE=take, GIVE=give, BEFORE=before, BEHIND=behind)
    flags, data, out = (device.zeros(n, np.uint32) for n in (9, 9 * 64, 9 * 64))
    module["k"](9, 64, (flags, data, out))
    return np.asarray(out.get().reshape(9, 64))


RELEASE, ACQUIRE = FENCE.format("release"), FENCE.format("acquire")


@pytest.mark.parametrize(
    "orders", [("acquire", "release"), ("relaxed", "relaxed", RELEASE, ACQUIRE),
               ("seq_cst", "seq_cst")],
)  # fmt: skip
def test_flags(orders: tuple[str, ...]) -> None:
    expected = (np.arange(1, 10) % 9 * 100)[:, None] + np.arange(64)
    assert np.array_equal(flagged(*orders), expected)


@pytest.mark.parametrize(
    "orders",
    [("relaxed", "release"), ("acquire", "relaxed"), ("relaxed", "relaxed", RELEASE),
     ("relaxed", "relaxed", "", ACQUIRE)],
)  # fmt: skip
def test_flags_that_order_nothing(orders: tuple[str, ...]) -> None:
    with pytest.raises(Hazard) as caught:
        flagged(*orders)
    assert caught.value.kind == "order"


@pytest.mark.parametrize("backwards", [0, 1])
@pytest.mark.parametrize(
    ("name", "kind"), [("unsigned", np.uint32), ("long long", np.int64), ("double", np.float64)]
)
def test_cub_look_back(name: str, kind: Any, backwards: int) -> None:
    """CUB's scan, tile by tile; backwards, each tile waits for CTAs that begin later."""
    device, module = opened(SCAN, TYPE=name)
    tiles = 40
    values = np.random.default_rng(1).integers(0, 1000, tiles * 128).astype(kind)
    room, out = device.empty(1 << 13, np.uint8), device.empty(tiles * 128, kind)
    module["prepare"](1, 128, (room, np.int32(tiles)))
    module["k"](tiles, 128, (room, np.int32(tiles), device.array(values), out, np.int32(backwards)))
    assert np.array_equal(out.get(), np.cumsum(values, dtype=kind))

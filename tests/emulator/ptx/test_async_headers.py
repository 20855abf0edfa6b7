"""Asynchronous copies through NVIDIA's own headers: cooperative groups, cuda::pipeline, cuda::ptx.

The expectations are NumPy's; code that others wrote for GPUs has no hazard, and what is left out of
it is found.
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
    not any((folder / "cuda" / "pipeline").exists() for folder in include_folders()),
    reason="the headers of cooperative groups and libcu++ are not here (extra `nvidia`)",
)

SOURCE = r"""
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void pipe(const int* in, int* out, int n) {
  __shared__ __align__(128) int buf[4][128];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> st;
  auto p = cuda::make_pipeline(block, &st);
  int sum = 0;
  for (int c = 0, f = 0; c < n; ++c) {
    for (; f < n && f < c + 4; ++f) {
      p.producer_acquire();
      cuda::memcpy_async(block, buf[f % 4], in + f * 128, sizeof(int) * 128, p);
      p.producer_commit();
    }
    p.consumer_wait();
    sum += buf[c % 4][(threadIdx.x * 7) % 128];
    p.consumer_release();
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void bar(const int* in, int* out, int n) {
  __shared__ __align__(128) int buf[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&b, blockDim.x);
  block.sync();
  int sum = 0;
  for (int c = 0; c < n; ++c) {
    cuda::memcpy_async(block, buf, in + c * 128, cuda::aligned_size_t<16>(sizeof(int) * 128), b);
    b.arrive_and_wait();
    sum += buf[(threadIdx.x * 7) % 128];
    b.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void group(const int* in, int* out, int n) {
  __shared__ __align__(128) int buf[128];
  auto block = cg::this_thread_block();
  int sum = 0;
  for (int c = 0; c < n; ++c) {
    cg::memcpy_async(block, buf, in + c * 128, sizeof(int) * 128);
    cg::wait(block);
    sum += buf[(threadIdx.x * 7) % 128];
    block.sync();
  }
  out[threadIdx.x] = sum;
}
#include <cuda/ptx>
namespace ptx = cuda::ptx;
extern "C" __global__ void bulk(const int* in, int* out, int n) {
  __shared__ __align__(128) int buf[1024];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) { ptx::mbarrier_init(&b, 1); ptx::fence_proxy_async(ptx::space_shared); }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buf, in, 4096, &b);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, 4096);
  }
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {}
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) buf[i] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, buf, 4096);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
"""
GIVEN = np.random.default_rng(1).integers(0, 1000, 9 * 128).astype(np.int32)


def run(name: str, words: int, *removed: str, strict: bool = False) -> Any:
    """What a kernel leaves; `removed` is taken out of its text."""
    source = SOURCE
    for each in removed:
        assert source.count(each) == 1
        source = source.replace(each, "")
    device = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    result = device.zeros(words, np.int32)
    kernel = device.load(ptx(source))[name]
    kernel((1, 1, 1), (128, 1, 1), (device.array(GIVEN), result, np.int32(9)))
    return result.get()


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", ["pipe", "bar", "group"])
def test_copies_arrive(name: str, strict: bool) -> None:
    if name == "bar" and strict:  # libcu++ has no fence between init and the bulk copy
        with pytest.raises(Hazard, match="neither fence.mbarrier_init nor fence.proxy.async"):
            run(name, 128, strict=strict)
        return
    seen = GIVEN.reshape(9, 128)[:, np.arange(128) * 7 % 128]
    assert np.array_equal(run(name, 128, strict=strict), seen.sum(0))


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
def test_a_bulk_copy_there_and_back(strict: bool) -> None:
    assert np.array_equal(run("bulk", 1024, strict=strict), GIVEN[:1024] + 1)


@pytest.mark.parametrize(
    ("name", "left_out", "words"),
    [
        ("pipe", "p.consumer_wait();", "cp.async"),
        ("group", "cg::wait(block);", "cp.async.wait_group"),
        ("bulk", "while (!ptx::mbarrier_try_wait_parity(&b, 0)) {}", "cp.async.bulk"),
        ("bulk", "  ptx::fence_proxy_async(ptx::space_shared);\n", "fence.proxy.async"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_found(name: str, left_out: str, words: str) -> None:
    with pytest.raises(Hazard) as caught:
        run(name, 1024, left_out)
    assert words in str(caught.value)


SENT = r"""
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int *out) {
  __shared__ int mail[128];
  __shared__ unsigned long long full;
  auto pair = cg::this_cluster();
  unsigned rank = pair.block_rank(), t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full,
                                   sizeof mail);
  }
  pair.sync();
  ptx::st_async(pair.map_shared_rank(mail, rank ^ 1) + t, int(rank * 1000 + t),
                pair.map_shared_rank(&full, rank ^ 1));
  WAIT
  out[blockIdx.x * 128 + t] = mail[127 - t];
  pair.sync();
}
"""
WAIT = """
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
"""


def test_stores_into_the_other_cta() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    result = device.zeros(256, np.int32)
    device.load(ptx(SENT.replace("WAIT", WAIT)))["k"]((2, 1, 1), (128, 1, 1), (result,))
    thread = np.arange(128)
    assert np.array_equal(result.get(), np.concatenate([1127 - thread, 127 - thread]))
    with pytest.raises(Hazard, match="st.async"):
        device.load(ptx(SENT.replace("WAIT", "")))["k"]((2, 1, 1), (128, 1, 1), (result,))


STEALING = r"""
#include <cuda/ptx>
namespace ptx = cuda::ptx;
extern "C" __global__ void k(int *visits, int *workers) {
  __shared__ uint4 answer;
  __shared__ uint64_t answered;
  if (threadIdx.x == 0) ptx::mbarrier_init(&answered, 1);
  int tile = blockIdx.x;
  for (int turn = 0;; turn ^= 1) {
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster,
                                                   ptx::scope_cluster);
      ptx::clusterlaunchcontrol_try_cancel(&answer, &answered);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &answered,
                                     sizeof answer);
    }
    visits[tile * 128 + threadIdx.x] += 1;
    if (threadIdx.x == 0) workers[tile] = blockIdx.x;
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &answered, turn)) {}
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer)) break;
    tile = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(answer);
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_release, ptx::space_shared,
                                                 ptx::scope_cluster);
  }
}
"""


def test_a_grid_whose_ctas_take_over_others() -> None:
    device = lanemap.open_device("sm_100a", device="emulator")
    visits, workers = device.zeros(9 * 128, np.int32), device.zeros(9, np.int32)
    kernel = device.load(ptx(STEALING, target="sm_100a"))["k"]
    kernel((9, 1, 1), (128, 1, 1), (visits, workers))
    assert visits.get().tolist() == 9 * 128 * [1]
    assert workers.get().tolist() == 9 * [0]  # the first CTA took over all that had not begun

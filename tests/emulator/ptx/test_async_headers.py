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

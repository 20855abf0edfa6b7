"""CUDA C++ with tensor memory through NVRTC: what the compiler makes of it is right and clean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.cuda import BUILDS, ptx

_COMMON = r"""
typedef unsigned int u32; typedef unsigned long long u64;
__device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void tmem_alloc(u32 *slot, u32 n) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
               :: "r"(at(slot)), "r"(n) : "memory");
}
__device__ void tmem_free(u32 taddr, u32 n) {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" :: "r"(taddr), "r"(n));
}
__device__ void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void init(u64 *bar, u32 n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory");
}
__device__ void arrive(u64 *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ void wait(u64 *bar, u32 parity) {
  asm volatile("{\n.reg .pred P1;\nAGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\nbra AGAIN;\nDONE:\n}" :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void commit(u64 *bar) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"
               :: "r"(at(bar)) : "memory");
}
"""

#: Rows of 32 floats are stored by 32x32b and read by 16x256b: 4 registers hold a pair of columns of
#: two rows, 8 rows apart.
_RESHAPE = (
    _COMMON
    + r"""
extern "C" __global__ void reshape(const float *in, float *out) {
  __shared__ u32 slot;
  u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) tmem_alloc(&slot, 32);
  __syncthreads();
  u32 base = slot, mine = base + (warp << 21);
  float row[32];
  for (int i = 0; i < 32; i++) row[i] = in[threadIdx.x * 32 + i] * 2.0f;
#define R(i) "f"(row[i]), "f"(row[i + 1]), "f"(row[i + 2]), "f"(row[i + 3])
  asm volatile("tcgen05.st.sync.aligned.32x32b.x32.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8, %9, "
    "%10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
    "%28, %29, %30, %31, %32};" :: "r"(mine), R(0), R(4), R(8), R(12), R(16), R(20), R(24), R(28));
  wait_st();
  for (int half = 0; half < 2; half++)
    for (int column = 0; column < 32; column += 8) {
      float v[4];
      asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
        : "r"(mine + (half << 20) + column));
      wait_ld();
      for (int r = 0; r < 4; r++) {
        int tmem_lane = lane / 4 + 8 * (r / 2) + 16 * half, c = r % 2 + 2 * (lane % 4) + column;
        out[(warp * 32 + tmem_lane) * 32 + c] = v[r] + 1.0f;
      }
    }
  before();
  __syncthreads();
  if (warp == 0) tmem_free(base, 32);
}
"""
)

#: Warps 0 to 3 fill a tile of shared memory, warp 4 copies it to one of two places in tensor memory
#: and commits, warps 0 to 3 read it from there: `full`, `copied`, and `empty` go round.
_PIPELINE = (
    _COMMON
    + r"""
extern "C" __global__ void pipeline(const u32 *in, u32 *out, int steps) {
  __shared__ __align__(1024) u32 tile[2][128 * 4];
  __shared__ u64 full[2], copied[2], empty[2];
  __shared__ u32 slot;
  u32 warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) { init(&full[i], 128); init(&copied[i], 1); init(&empty[i], 128); }
  if (warp == 4) tmem_alloc(&slot, 32);
  before();
  __syncthreads();
  after();
  u32 base = slot;
  if (warp == 4) {
    if (threadIdx.x % 32 == 0)
      for (int s = 0; s < steps; s++) {
        u32 b = s % 2, parity = s / 2 % 2;
        wait(&empty[b], parity ^ 1);
        wait(&full[b], parity);
        after();
        u64 desc = (at(tile[b]) >> 4) | (u64)(128 >> 4) << 32 | 1ull << 46;
        asm volatile("tcgen05.cp.cta_group::1.128x128b [%0], %1;" :: "r"(base + 4 * b), "l"(desc));
        commit(&copied[b]);
      }
    __syncwarp();
  } else {
    u32 sum = 0;
    for (int s = 0; s < steps; s++) {
      u32 b = s % 2, parity = s / 2 % 2;
      /* the copy of two steps ago has read the tile: its commit said so */
      for (int i = 0; i < 4; i++)
        tile[b][threadIdx.x * 4 + i] = in[(s * 128 + threadIdx.x) * 4 + i];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      arrive(&full[b]);
      wait(&copied[b], parity);
      after();
      u32 v[4];
      asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(base + (warp << 21) + 4 * b));
      wait_ld();
      before();
      arrive(&empty[b]);
      sum += v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3];
    }
    out[threadIdx.x] = sum;
  }
  before();
  __syncthreads();
  after();
  if (warp == 4) tmem_free(base, 32);
}
"""
)


def _run(source: str, entry: str, build: str, threads: int, *arguments: Any, **options: Any) -> Any:
    device = lanemap.open_device("sm_100a", device="emulator", **options)
    text = ptx(source, build, f"{entry}.cu", "sm_100a")
    arrays = [device.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    device.load(text)[entry]((1,), (threads,), arrays)
    return arrays[1].get()


@pytest.mark.parametrize("build", BUILDS)
def test_a_tile_is_stored_in_one_shape_and_read_in_another(build: str) -> None:
    given = np.random.default_rng(3).random((128, 32), np.float32)
    got = _run(_RESHAPE, "reshape", build, 128, given, np.zeros_like(given))
    assert np.array_equal(got, given * np.float32(2) + np.float32(1))


@pytest.mark.parametrize("build", BUILDS)
def test_a_pipeline_of_copies_is_right_and_clean(build: str) -> None:
    steps = 7
    given = np.random.default_rng(4).integers(0, 2**32, (steps, 128, 4), np.uint32)
    got = _run(_PIPELINE, "pipeline", build, 160, given, np.zeros(128, np.uint32), np.int32(steps))
    weights = np.array([1, 3, 5, 7], np.uint32)
    assert np.array_equal(got, (given * weights).sum((0, 2), dtype=np.uint32))


def test_a_fence_left_out_of_the_pipeline_is_named_with_its_cuda_line() -> None:
    faulty = _PIPELINE.replace(
        "      wait(&copied[b], parity);\n      after();\n", "      wait(&copied[b], parity);\n"
    )
    assert faulty != _PIPELINE
    line = next(i for i, text in enumerate(faulty.splitlines(), 1) if "tcgen05.ld.sync" in text)
    with pytest.raises(Hazard) as caught:
        given = np.zeros((2, 128, 4), np.uint32)
        _run(
            faulty,
            "pipeline",
            "optimised",
            160,
            given,
            np.zeros(128, np.uint32),
            np.int32(2),
            strict=True,
        )
    assert "tcgen05.fence::after_thread_sync" in str(caught.value)
    # the statement has three lines, any of which may stand for it
    assert any(f"pipeline.cu:{line + i}`" in str(caught.value) for i in range(3))

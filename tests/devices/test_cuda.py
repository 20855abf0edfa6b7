"""The CUDA device: without a GPU its one sentence, with an sm_90 one what it promises."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import lanemap
from lanemap.devices.sources import cooperative_entries
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.toolchain.nvrtc import compile_cuda
from tests import ptx

AXPY = """
extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
extern "C" __global__ void dynamic(int* out) {
  extern __shared__ int room[];
  room[threadIdx.x * 512] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = room[(31 - threadIdx.x) * 512];
}
extern "C" __global__ void ranks(unsigned* out) {
  unsigned rank, size;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0) out[blockIdx.x] = rank << 8 | size;
}
struct Map { alignas(64) unsigned long long words[16]; };
extern "C" __global__ void tile(const __grid_constant__ Map map, unsigned short* out) {
  __shared__ alignas(128) unsigned short tile[16 * 8];
  __shared__ unsigned long long barrier;
  unsigned t = (unsigned)__cvta_generic_to_shared(tile);
  unsigned b = (unsigned)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b));
    asm volatile("fence.proxy.async.shared::cta;");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(b));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" :: "r"(t), "l"(&map), "r"(8), "r"(16), "r"(b));
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;"
                 " @!p bra W; }" :: "r"(b));
    for (int i = 0; i < 128; i++) out[i] = tile[i];
  }
}
extern "C" __global__ void beyond(int* out) { out[1ull << 40] = 1; }
"""


def gpu() -> bool:
    try:
        lanemap.open_device("sm_90a", device="cuda")
    except MissingEnvironment:
        return False
    return True


HERE = gpu()
on_silicon = pytest.mark.skipif(not HERE, reason="needs an sm_90 GPU")


def test_without_a_gpu_there_is_one_sentence() -> None:
    if HERE:
        assert lanemap.open_device("sm_90a").evidence == "silicon"
        return
    with pytest.raises(MissingEnvironment, match=r"device cuda needs .*NVIDIA GPU"):
        lanemap.open_device("sm_90a", device="cuda")
    with pytest.raises(UserError, match="device cuda does not execute gfx950"):
        lanemap.open_device("gfx950", device="cuda")


@on_silicon
def test_launch_arguments_and_dynamic_shared_memory() -> None:
    device = lanemap.open_device("sm_90a", device="cuda")
    module = device.compile(AXPY)
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    gx, gy = device.array(x), device.array(y)
    module["axpy"](4, 256, (gx, gy, np.float32(2), np.int32(1000)))
    assert np.array_equal(gy.get(), y + 2 * x)
    out = device.zeros(32, np.int32)
    module["dynamic"](1, 32, (out,), shared_bytes=64 << 10)
    assert np.array_equal(out.get(), np.arange(32)[::-1])
    with pytest.raises(UserError, match="has 8 bytes where"):
        module["axpy"](4, 256, (gx, gy, np.float64(2), np.int32(1000)))
    with pytest.raises(UserError, match="takes 4 arguments, 1 were given"):
        module["axpy"](4, 256, (gx,))


#: Thread i adds word i of x to word i of y.
ADD = """\
  .reg .b64 %rd<6>;
  .reg .f32 %f<4>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd4, %r1, 4, %x;
  mad.wide.u32 %rd5, %r1, 4, %y;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd5], %f3;"""


@on_silicon
def test_arrays_of_other_libraries_are_adopted() -> None:
    import cupy

    device = lanemap.open_device("sm_90a", device="cuda")
    kernel = device.load(ptx.entry(ADD, "x y"))["k"]
    x, y = cupy.arange(32, dtype=cupy.float32), cupy.ones(32, cupy.float32)
    kernel(1, 32, (device.adopt(x), device.adopt(y)))
    assert np.array_equal(y.get(), np.arange(32, dtype=np.float32) + 1)
    assert np.array_equal(device.adopt(y).get(), y.get())
    with pytest.raises(UserError, match="a ndarray cannot be adopted by a GPU"):
        device.adopt(np.zeros(3))
    torch = pytest.importorskip("torch")
    tensor = torch.full((32,), 5.0, device="cuda")
    kernel(1, 32, (device.adopt(x), device.adopt(tensor)))
    assert tensor.tolist() == [5 + i for i in range(32)]
    with pytest.raises(UserError, match="C-contiguous"):
        device.adopt(torch.zeros((4, 4), device="cuda").T)
    with pytest.raises(UserError, match="a Tensor cannot be adopted by a GPU"):
        device.adopt(torch.zeros(3))


@on_silicon
def test_clusters_and_tensor_maps() -> None:
    device = lanemap.open_device("sm_90a", device="cuda")
    module = device.compile(AXPY)
    ranks = device.zeros(8, np.uint32)
    module["ranks"](8, 32, (ranks,), cluster=4)
    assert np.array_equal(ranks.get(), np.arange(8) % 4 << 8 | 4)
    matrix = np.arange(64 * 32, dtype=np.uint16).reshape(64, 32)
    held, out = device.array(matrix), device.zeros(128, np.uint16)
    module["tile"](1, 32, (device.tensor_map(held, (16, 8)), out))
    assert np.array_equal(out.get().reshape(16, 8), matrix[16:32, 8:16])
    with pytest.raises(UserError, match=r"'256b' is not one of none, .*128b"):
        device.tensor_map(held, (16, 8), swizzle="256b")


GRID = r"""
#include <cooperative_groups.h>
__device__ __noinline__ void meet() { cooperative_groups::this_grid().sync(); }
extern "C" __global__ void around(int* x) {
  x[blockIdx.x] = blockIdx.x;
  MEET;
  x[gridDim.x + blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
}
extern "C" __global__ void plain(int* x) { x[blockIdx.x] = 1; }
"""
INLINED = GRID.replace("MEET", "cooperative_groups::this_grid().sync()")
INLINED = INLINED.replace("__device__ __noinline__", "static __device__")


def test_entries_that_synchronize_their_grid_are_launched_cooperatively() -> None:
    assert cooperative_entries("") == frozenset(), "a cubin has no text"

    def entries(source: str) -> set[str]:
        try:
            return {*cooperative_entries(compile_cuda(source, "sm_90a"))}
        except MissingEnvironment as missing:
            pytest.skip(str(missing))

    assert entries(INLINED) == {"around"}
    assert entries(GRID.replace("MEET", "meet()")) == {"around", "plain"}, "either may call it"
    assert (
        entries(INLINED.replace("cooperative_groups::this_grid().sync()", "__syncthreads()"))
        == set()
    )


@on_silicon
@pytest.mark.parametrize("text", [INLINED, GRID.replace("MEET", "meet()")])
def test_a_grid_synchronizes(text: str) -> None:
    device = lanemap.open_device("sm_90a", device="cuda")
    x = device.zeros(200, np.int32)
    device.compile(text)["around"](100, 32, (x,))
    assert x.get()[100:].tolist() == [*range(1, 100), 0]


@on_silicon
def test_malformed_ptx_and_faults_are_sentences() -> None:
    device = lanemap.open_device("sm_90a", device="cuda")
    with pytest.raises(LanemapError, match="compiler refuses it"):
        device.load(ptx.entry("add.f99 a, b;", ""))
    script = (
        f"import lanemap, numpy as np\nd = lanemap.open_device('sm_90a', device='cuda')\n"
        f"m = d.compile({AXPY!r})\ntry:\n  m['beyond'](1, 1, (d.zeros(1, np.int32),))\n"
        "except lanemap.errors.UserError as e:\n  print(e)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import lanemap.errors\n" + script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "touched memory outside its arrays" in done.stdout
    assert "start a new one" in done.stdout
    assert "ecc" in device.environment()["card"]

"""A tensor map made by the driver; clusters and programmatic launches by attributes."""

import numpy as np
from cuda.bindings import driver, nvrtc

code = b"""
struct __align__(64) TensorMap { unsigned long long opaque[16]; };
__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
// Both CTAs of a cluster get each tile, from one copy.
extern "C" __global__ void rows(const __grid_constant__ TensorMap map, float *y) {
  __shared__ __align__(128) float tile[8][32];
  __shared__ unsigned long long barrier;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 ::"r"(shared(&barrier)), "r"((unsigned)sizeof(tile)) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\\n barrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0 && rank == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
        ::"r"(shared(tile)), "l"(&map), "r"(0), "r"(8 * (int)(blockIdx.x / 2)),
          "r"(shared(&barrier)), "h"((unsigned short)3) : "memory");
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
                 " selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(&barrier)) : "memory");
  float sum = 0;
  for (int i = rank; i < 32; i += 2) sum += tile[threadIdx.x][i];
  // broken: out-of-bounds: y[2 * (8 * blockIdx.x + threadIdx.x) + rank] = sum;
  y[2 * (8 * (blockIdx.x / 2) + threadIdx.x) + rank] = sum;
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
program = checked(nvrtc.nvrtcCreateProgram(code, b"rows.cu", 0, [], []))
checked(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_90"]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
module = checked(driver.cuModuleLoadData(text))
kernel = checked(driver.cuModuleGetFunction(module, b"rows"))
count, width = 32, 32
x = np.arange(count * width, dtype=np.float32).reshape(count, width)
y = np.zeros((count, 2), np.float32)
d_x, d_y = checked(driver.cuMemAlloc(x.nbytes)), checked(driver.cuMemAlloc(y.nbytes))
checked(driver.cuMemcpyHtoD(d_x, x, x.nbytes))  # broken: undefined
number = driver.cuuint64_t
small = driver.cuuint32_t
tensor_map = checked(
    driver.cuTensorMapEncodeTiled(
        driver.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        2,
        d_x,
        [number(width), number(count)],
        # broken: RuntimeError: [number(4 * width + 4)],
        [number(4 * width)],
        [small(32), small(8)],
        [small(1), small(1)],
        driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        driver.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_NONE,
        driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_NONE,
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    )
)
attribute = driver.CUlaunchAttribute()
attribute.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
attribute.value.clusterDim.x = 2
attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1
config = driver.CUlaunchConfig()
config.gridDimX, config.gridDimY, config.gridDimZ = 2 * (count // 8), 1, 1
config.blockDimX, config.blockDimY, config.blockDimZ = 8, 1, 1
config.attrs, config.numAttrs = [attribute], 1
checked(driver.cuLaunchKernelEx(config, kernel, ((tensor_map, d_y), (None, None)), 0))
checked(driver.cuCtxSynchronize())
checked(driver.cuMemcpyDtoH(y, d_y, y.nbytes))
np.testing.assert_array_equal(y, np.stack([x[:, ::2].sum(1), x[:, 1::2].sum(1)], 1))
print("summed", y[-1])

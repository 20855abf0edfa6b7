"""Tensor maps: tiles that TMA copies, made of a view of an array and given another address."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)
from cuda.core.utils import StridedMemoryView

code = r"""
struct __align__(64) TensorMap { unsigned long long opaque[16]; };
__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
// Copies a tile of 16 rows and 32 columns, and stores its transpose.
extern "C" __global__ void transpose(const __grid_constant__ TensorMap map, float *y, int rows) {
  __shared__ __align__(128) float tile[16][32];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 ::"r"(shared(&barrier)), "r"((unsigned)sizeof(tile)) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3}], [%4];"
        ::"r"(shared(tile)), "l"(&map), "r"(32 * (int)blockIdx.x), "r"(16 * (int)blockIdx.y),
          "r"(shared(&barrier)) : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  // broken: pending: if (false)
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
                 " selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(&barrier)) : "memory");
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    y[(32 * blockIdx.x + i / 16) * rows + 16 * blockIdx.y + i % 16] = tile[i % 16][i / 16];
}
"""


class Array:
    """An array on the device, as other libraries show theirs."""

    def __init__(self, buffer, shape):
        self.buffer = buffer
        self.__cuda_array_interface__ = {
            "version": 3, "shape": shape, "typestr": "<f4", "strides": None,
            "data": (int(buffer.handle), False), "stream": None,
        }  # fmt: skip


dev = Device()
assert dev.compute_capability >= (9, 0)
dev.set_current()
stream = dev.default_stream
options = ProgramOptions(std="c++17", arch=f"sm_{dev.arch}")
kernel = Program(code, code_type="c++", options=options).compile("ptx").get_kernel("transpose")
rows, columns = 48, 64
host = LegacyPinnedMemoryResource()


def filled(values):
    held = host.allocate(values.nbytes, stream=stream)
    device = dev.allocate(values.nbytes, stream=stream)
    np.from_dlpack(held).view(np.float32)[:] = values.ravel()
    device.copy_from(held, stream=stream)
    return Array(device, values.shape)


def transposed(tensor_map):
    result = host.allocate(4 * rows * columns, stream=stream)
    # broken: out-of-bounds: config = LaunchConfig(grid=(columns // 32, rows // 16 + 1), block=128)
    config = LaunchConfig(grid=(columns // 32, rows // 16), block=128)
    launch(stream, config, kernel, tensor_map, result, np.int32(rows))
    dev.sync()
    return np.from_dlpack(result).view(np.float32).reshape(columns, rows).copy()


first = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
x = filled(first)
view = StridedMemoryView.from_any_interface(x, stream_ptr=-1)
tensor_map = view.as_tensor_map(box_dim=(16, 32))
np.testing.assert_array_equal(transposed(tensor_map), first.T)
other = filled(-first)
tensor_map.replace_address(other)
np.testing.assert_array_equal(transposed(tensor_map), -first.T)
print("transposed", transposed(tensor_map)[-1, -1])

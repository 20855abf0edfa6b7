"""A function of any array: views of it by DLPack and by CUDA's array interface; properties."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)
from cuda.core.utils import StridedMemoryView, args_viewable_as_strided_memory

code = r"""
extern "C" __global__ void plus_arange(int *data, size_t n, long stride) {
  // broken: order: for (size_t i = threadIdx.x; i < n; i += blockDim.x)
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i * stride] += i;
}
"""
dev = Device(0)
dev.set_current()
properties = dev.properties
assert properties.warp_size == 32 and properties.max_threads_per_block == 1024
assert dev.compute_capability == (
    properties.compute_capability_major,
    properties.compute_capability_minor,
)
stream = dev.create_stream()
options = ProgramOptions(arch=f"sm_{dev.arch}", std="c++17")
kernel = Program(code, code_type="c++", options=options).compile("ptx").get_kernel("plus_arange")


@args_viewable_as_strided_memory((0,))
def add_arange(array, work_stream):
    view = array.view(work_stream.handle if work_stream else -1)
    assert isinstance(view, StridedMemoryView)
    assert len(view.shape) == 1 and view.is_device_accessible
    n, stride = view.shape[0], view.strides[0] if view.strides else 1
    config = LaunchConfig(grid=(n + 255) // 256, block=256)
    # broken: out-of-bounds: launch(work_stream, config, kernel, view.ptr, np.uint64(2 * n), stride)
    launch(work_stream, config, kernel, view.ptr, np.uint64(n), np.int64(stride))
    work_stream.sync()


class EverySecond:
    """Elements of a buffer, as other libraries show theirs."""

    def __init__(self, buffer, count):
        self.__cuda_array_interface__ = {
            "version": 3, "shape": (count,), "typestr": "<i4", "strides": (8,),
            "data": (int(buffer.handle), False), "stream": 1,
        }  # fmt: skip


buffer = LegacyPinnedMemoryResource().allocate(4000, stream=stream)
values = np.from_dlpack(buffer).view(np.int32)
values[:] = 1
add_arange(EverySecond(buffer, 500), stream)
np.testing.assert_array_equal(values[::2], 1 + np.arange(500))
assert (values[1::2] == 1).all()
print("added", values[:5], dev.name)

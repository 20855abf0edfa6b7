"""Memory of a pool and pinned memory: attributes, fill, copies, DLPack."""

import numpy as np
from cuda.core import (
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)

code = r"""
extern "C" __global__ void change(float *ours, float *pinned, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: out-of-bounds: if (i <= n) {
  if (i < n) {
    ours[i] = ours[i] + 1.0f;
    pinned[i] = pinned[i] * 3.0f;
  }
}
"""

dev = Device()
dev.set_current()
stream = dev.create_stream()
change = Program(code, "c++", ProgramOptions(std="c++17", arch=f"sm_{dev.arch}")).compile("ptx")
kernel = change.get_kernel("change")
pool = DeviceMemoryResource(dev, options=DeviceMemoryResourceOptions(max_size=1 << 20))
pinned = LegacyPinnedMemoryResource()
n = 1000
buffer = pool.allocate(4 * n, stream=stream)
of_host = pinned.allocate(4 * n, stream=stream)
assert buffer.size == 4 * n and buffer.is_device_accessible and not buffer.is_host_accessible
assert of_host.is_host_accessible and of_host.is_device_accessible
array = np.from_dlpack(of_host).view(np.float32)
array[:] = np.arange(n)
buffer.copy_from(of_host, stream=stream)  # broken: undefined
launch(stream, LaunchConfig(grid=4, block=256), kernel, buffer, of_host, np.uint64(n))
stream.sync()
np.testing.assert_array_equal(array, 3 * np.arange(n, dtype=np.float32))
buffer.copy_to(of_host, stream=stream)
stream.sync()
np.testing.assert_array_equal(array, np.arange(n, dtype=np.float32) + 1)
buffer.fill(np.uint32(7), stream=stream)
buffer.copy_to(of_host, stream=stream)
stream.sync()
assert (array.view(np.uint32) == 7).all()
last = int(array.view(np.uint32)[-1])
buffer.close(stream)
of_host.close(stream)
assert buffer.handle == 0 and of_host.handle == 0
stream.close()
print("memory", last)

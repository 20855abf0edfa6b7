"""Streams that wait for each other, events, the default streams, foreign handles, an occupancy."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    StreamOptions,
    launch,
)

code = r"""
extern "C" __global__ void scale(float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: out-of-bounds: if (i <= n) x[i] *= factor;
  if (i < n) x[i] *= factor;
}
"""


class Foreign:
    """A stream of another library, by the protocol."""

    def __init__(self, handle):
        self.handle = handle

    def __cuda_stream__(self):
        return 0, self.handle


dev = Device()
dev.set_current()
first = dev.create_stream(options=StreamOptions(nonblocking=True, priority=0))
second = dev.create_stream()
module = Program(code, "c++", ProgramOptions(arch=f"sm_{dev.arch}")).compile("ptx")
kernel = module.get_kernel("scale")
n = 512
buffer = LegacyPinnedMemoryResource().allocate(4 * n, stream=first)
x = np.from_dlpack(buffer).view(np.float32)
x[:] = np.arange(n)
config = LaunchConfig(grid=5, block=128)
first.record()
launch(first, config, kernel, buffer, np.float32(2), np.int32(n))
event = first.record()
second.wait(event)
launch(second, config, kernel, buffer, np.float32(3), np.int32(n))
second.wait(first)
foreign = dev.create_stream(Foreign(int(second.handle)))
# broken: out-of-bounds: launch(foreign, config, kernel, buffer, np.float32(5), np.int32(n + 1))
launch(foreign, config, kernel, buffer, np.float32(5), np.int32(n))
end = second.record()
end.sync()
assert end.is_done and event.is_done
dev.sync()
np.testing.assert_array_equal(x, 30 * np.arange(n, dtype=np.float32))
occupancy = kernel.occupancy
assert occupancy.max_active_blocks_per_multiprocessor(128, 0) >= 8
for each in (first, second):
    each.close()
print("scaled", x[-1], kernel.attributes.max_threads_per_block)

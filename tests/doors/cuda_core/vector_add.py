"""A sum of vectors: Program, launch, buffers of a memory resource, pinned memory as NumPy's."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)

code = r"""
template<typename T>
__global__ void vector_add(const T *a, const T *b, T *c, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
"""

dev = Device()
dev.set_current()
stream = dev.create_stream()
options = ProgramOptions(std="c++17", arch=f"sm_{dev.arch}", lineinfo=True)
program = Program(code, code_type="c++", options=options)
module = program.compile("ptx", name_expressions=("vector_add<float>", "vector_add<int>"))
host = LegacyPinnedMemoryResource()
size = 5000
for kind, dtype in (("float", np.float32), ("int", np.int32)):
    kernel = module.get_kernel(f"vector_add<{kind}>")
    held = [host.allocate(size * 4, stream=stream) for _ in range(3)]
    a, b, c = (np.from_dlpack(each).view(dtype) for each in held)
    a[:] = np.arange(size)
    b[:] = 2 * np.arange(size)
    x, y, z = (dev.allocate(size * 4, stream=stream) for _ in range(3))
    x.copy_from(held[0], stream=stream)
    y.copy_from(held[1], stream=stream)  # broken: undefined
    config = LaunchConfig(grid=8, block=256)
    # broken: out-of-bounds: launch(stream, config, kernel, x, y, z, np.uint64(size + 1))
    launch(stream, config, kernel, x, y, z, np.uint64(size))
    z.copy_to(held[2], stream=stream)
    stream.sync()
    np.testing.assert_array_equal(c, a + b)
    last = c[-1].copy()
    for each in (x, y, z, *held):
        each.close(stream)
print("added", last)

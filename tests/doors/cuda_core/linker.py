"""Device code of a library and of its user, compiled apart and linked: two fractals."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Linker,
    LinkerOptions,
    Program,
    ProgramOptions,
    launch,
)

library = r"""
extern __device__ int steps(float x, float y);
extern "C" __global__ void draw(int *image, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  // broken: out-of-bounds: if (i <= width && j <= height)
  if (i < width && j < height)
    image[j * width + i] = steps(3.5f * i / width - 2.5f, 2.0f * j / height - 1.0f);
}
"""
follow = r"""
__device__ int steps(float x, float y) {
  float u = {u}, v = {v}, a = {a}, b = {b};
  int n = 0;
  for (; n < 50 && u * u + v * v < 4.0f; ++n) {
    float t = u * u - v * v + a;
    v = 2.0f * u * v + b;
    u = t;
  }
  return n;
}
"""


def fill(**values):
    text = follow
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


mandelbrot = fill(u="0.0f", v="0.0f", a="x", b="y")
julia = fill(u="x", v="y", a="-0.8f", b="0.156f")
dev = Device()
dev.set_current()
stream = dev.create_stream()
arch = f"sm_{dev.arch}"
options = ProgramOptions(std="c++17", arch=arch, relocatable_device_code=True, fma=False)
main = Program(library, "c++", options=options).compile("ptx")
width, height = 60, 40
host = LegacyPinnedMemoryResource()


def on_host(x, y, u, v, a, b):
    n = np.zeros(x.shape, np.int32)
    for _ in range(50):
        going = u * u + v * v < 4
        n += going
        u, v = np.where(going, u * u - v * v + a, u), np.where(going, np.float32(2) * u * v + b, v)
    return n


j, i = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
x = np.float32(3.5) * i.astype(np.float32) / np.float32(width) - np.float32(2.5)
y = np.float32(2) * j.astype(np.float32) / np.float32(height) - np.float32(1)
zero = np.zeros_like(x)
for source, start in (
    (mandelbrot, (zero, zero, x, y)),
    (julia, (x, y, np.float32(-0.8), np.float32(0.156))),
):
    user = Program(source, "c++", options=options).compile("ptx")
    # broken: NVRTCError: user = Program(source + "}", "c++", options=options).compile("ptx")
    linked = Linker(main, user, options=LinkerOptions(arch=arch)).link("cubin")
    buffer = host.allocate(4 * width * height, stream=stream)
    image = np.from_dlpack(buffer).view(np.int32).reshape(height, width)
    config = LaunchConfig(grid=(5, 4), block=(16, 16))
    launch(stream, config, linked.get_kernel("draw"), buffer, np.int32(width), np.int32(height))
    stream.sync()
    assert (image == on_host(x, y, *start)).mean() > 0.99
print("drew", image.sum())

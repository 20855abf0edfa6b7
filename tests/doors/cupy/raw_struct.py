"""Structs: one by value as an argument, others in an array."""

import cupy as cp
import numpy as np

module = cp.RawModule(
    code=r"""
struct scale { float factor; int shift; double offset; };
struct point { float x, y, z; };
extern "C" __global__ void apply(scale how, const point *from, point *to, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  to[i].x = from[i].x * how.factor + how.offset;
  to[i].y = from[i].y * how.factor + how.offset;  // broken: undefined
  to[i].z = from[(i + how.shift) % n].z;
}
"""
)
scale = np.dtype([("factor", np.float32), ("shift", np.int32), ("offset", np.float64)])
how = np.array((1.5, 3, 0.25), dtype=scale)
point = np.dtype([("x", np.float32), ("y", np.float32), ("z", np.float32)])
host = np.arange(120, dtype=np.float32).view(point)
points, moved = cp.asarray(host), cp.empty(40, dtype=point)
apply = module.get_function("apply")
# broken: TypeError: apply((2,), (32,), (how, points, moved, 40.0))
apply((2,), (32,), (how, points, moved, np.int32(40)))
found = moved.get()
for name in ("x", "y"):
    assert np.array_equal(found[name], host[name] * np.float32(1.5) + np.float32(0.25))
assert np.array_equal(found["z"], np.roll(host["z"], -3))
print("moved", found[0])

"""Prices by random walks, as in CuPy's example `finance`: each thread walks, atomics add."""

import cupy as cp
import numpy as np

walk = cp.RawKernel(
    r"""
__device__ unsigned long long next(unsigned long long &state) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state;
}
__device__ float normal(unsigned long long &state) {
  float u = ((next(state) >> 40) + 1) / 16777217.0f, v = (next(state) >> 40) / 16777216.0f;
  return sqrtf(-2 * logf(u)) * cospif(2 * v);
}
extern "C" __global__ void walk(double *sum, float s, float x, float t, float r, float v, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned long long state = 0x9e3779b97f4a7c15ull * (i + 1);
  for (int k = 0; k < 4; ++k) next(state);
  double mine = 0;
  for (int k = 0; k < n; ++k) {
    float end = s * expf((r - v * v / 2) * t + v * sqrtf(t) * normal(state));
    mine += end > x ? end - x : 0;
  }
  for (int lane = 16; lane > 0; lane /= 2) mine += __shfl_down_sync(0xffffffff, mine, lane);
  // broken: order: if (threadIdx.x % 32 == 0) *sum += mine;
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
""",
    "walk",
)
# broken: undefined: total = cp.empty(1)
total = cp.zeros(1)
f = np.float32
walk((4,), (64,), (total, f(10), f(11), f(1), f(0.02), f(0.3), np.int32(40)))
mean = float(total[0]) / (256 * 40) * np.exp(-0.02)
assert abs(mean - 0.8792) < 0.06, mean
print("price", round(mean, 3))

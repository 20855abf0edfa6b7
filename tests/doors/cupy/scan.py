"""Running sums of each CTA, by doubling steps in shared memory."""

import cupy as cp

scan = cp.RawKernel(
    r"""
template <typename T> __device__ void doubling(T *buffer, int n) {
  for (int step = 1; step < n; step *= 2) {
    T before = threadIdx.x >= step ? buffer[threadIdx.x - step] : T(0);
    __syncthreads();  // broken: order
    buffer[threadIdx.x] += before;
    __syncthreads();  // broken: order
  }
}
extern "C" __global__ void scan(const float *x, float *y) {
  __shared__ float buffer[128];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  buffer[threadIdx.x] = x[i];
  __syncthreads();
  doubling(buffer, blockDim.x);
  y[i] = buffer[threadIdx.x];
}
""",
    "scan",
)
x = cp.arange(384, dtype=cp.float32) % 7
y = cp.empty_like(x)
scan((3,), (128,), (x, y))
cp.testing.assert_allclose(y.reshape(3, 128), cp.cumsum(x.reshape(3, 128), axis=1))
print("last", y[-1])

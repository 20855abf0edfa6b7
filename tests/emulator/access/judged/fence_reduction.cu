// Each CTA sums a part; the one that draws the last ticket sums the parts. After NVIDIA's sample
// threadFenceReduction (reduceSinglePass): the writers fence, the ticket is an atomic, and the last
// CTA reads without a fence of its own.
__device__ unsigned retired = 0;

extern "C" __global__ void kernel(const unsigned *in, unsigned n, unsigned *out) {
  __shared__ unsigned sums[64];
  __shared__ bool last;
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (unsigned half = 32; half; half /= 2) {
    if (t < half) sums[t] = sum = sum + sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum;
  if (gridDim.x == 1) return;
  __threadfence();
  if (t == 0) {
    unsigned ticket = atomicInc(&retired, gridDim.x);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (unsigned i = t; i < gridDim.x; i += 64) sum += out[i];  // hazard
  sums[t] = sum;
  __syncthreads();
  for (unsigned half = 32; half; half /= 2) {
    if (t < half) sums[t] = sum = sum + sums[t + half];
    __syncthreads();
  }
  if (t == 0) {
    out[0] = sum;  // hazard
    retired = 0;   // hazard
  }
}

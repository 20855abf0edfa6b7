// Softmax of rows: the maximum and the sum go through the same scratch.
__device__ float reduce(float value, float *scratch, bool add) {
  for (int step = 16; step; step /= 2) {
    const float other = __shfl_xor_sync(~0u, value, step);
    value = add ? value + other : fmaxf(value, other);
  }
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = value;  // hazard
  __syncthreads();
  value = scratch[0];
  for (int i = 1; i < blockDim.x / 32; ++i)
    value = add ? value + scratch[i] : fmaxf(value, scratch[i]);  // hazard
#ifndef FAULTY
  __syncthreads();
#endif
  return value;
}

extern "C" __global__ void scratch_reused(const float *in, float *out) {
  __shared__ float scratch[8];
  const int at = blockDim.x * blockIdx.x + threadIdx.x;
  const float largest = reduce(in[at], scratch, false);
  const float power = exp2f(in[at] - largest);
  out[at] = power / reduce(power, scratch, true);
}

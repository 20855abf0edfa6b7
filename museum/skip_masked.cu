// Sums blocks of values, and skips a block if its mask is empty.
extern "C" __global__ void skip_masked(const float *in, const int *mask, float *out, int blocks) {
  __shared__ int shared_mask[64];
  float sum = 0;
  for (int block = 0; block < blocks; ++block) {
    shared_mask[threadIdx.x] = mask[64 * block + threadIdx.x];  // hazard
    __syncthreads();
    int any = 0;
    for (int i = 0; i < 64; ++i)
      any |= shared_mask[i];  // hazard
#ifndef FAULTY
    __syncthreads();
#endif
    if (!any)
      continue;
    sum += in[64 * block + threadIdx.x] * shared_mask[threadIdx.x];
#ifdef FAULTY
    __syncthreads();
#endif
  }
  out[threadIdx.x] = sum;
}

// Finds the largest 8-bit digit such that k values have it or a larger one, digit by digit.
extern "C" __global__ void histogram_cleared(const unsigned *in, unsigned *out, int count, int k) {
  __shared__ int histogram[257];
  __shared__ unsigned prefix;
  if (threadIdx.x == 0)
    prefix = 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    histogram[threadIdx.x] = 0;  // hazard
    if (threadIdx.x == 0)
      histogram[256] = 0;
    __syncthreads();
    const unsigned above = prefix;
    for (int i = threadIdx.x; i < count; i += 256)
      if (shift == 24 || in[i] >> (shift + 8) == above)
        atomicAdd(&histogram[in[i] >> shift & 255], 1);  // hazard
    __syncthreads();
    int larger = 0;
    unsigned digit = 255;
    for (; digit && larger + histogram[digit] < k; --digit)
      larger += histogram[digit];  // hazard
    if (threadIdx.x == 0)
      prefix = above << 8 | digit;
    k -= larger;
#ifndef FAULTY
    __syncthreads();
#endif
  }
#ifdef FAULTY
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    out[0] = prefix;
}

// The upper half of the threads scales, the lower half adds; both halves then exchange.
extern "C" __global__ void two_barriers(const float *in, float *out) {
  __shared__ float values[128];
  const int me = threadIdx.x, at = 128 * blockIdx.x;
  // Lanes of one warp take either side.
  if (me % 2) {
    values[me] = 2 * in[at + me];
#ifdef FAULTY
    __syncthreads();  // hazard
#endif
  } else {
    values[me] = in[at + me] + 1;
#ifdef FAULTY
    __syncthreads();  // hazard
#endif
  }
#ifndef FAULTY
  __syncthreads();
#endif
  out[at + me] = values[127 - me];
}

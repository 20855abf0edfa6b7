// The last CTA to draw a ticket adds up what all CTAs have stored.
extern "C" __global__ void ticket_without_fence(const int *in, int *parts, unsigned *ticket,
                                                int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += in[64 * blockIdx.x + i];
    parts[blockIdx.x] = sum;  // hazard
#ifndef FAULTY
    __threadfence();
#endif
    last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i)
      sum += parts[i];  // hazard
    out[0] = sum;
  }
}

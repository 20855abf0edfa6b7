// Counts the values above a threshold, row by row; eight warps have a row each.
extern "C" __global__ void uneven_barrier(const float *in, int *out, int rows) {
  __shared__ int counts[8];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int total = 0;
  for (int first = 0; first < rows; first += 8) {
    const bool above = in[32 * (first + warp) + lane] > 0;
    const int count = __popc(__ballot_sync(~0u, above));
    if (lane == 0)
      counts[warp] = count;  // hazard
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < 8; ++i)
        total += counts[i];  // hazard
#ifdef FAULTY
    if (count == 0)
      continue;  // nothing was counted here, so there is nothing to protect
#endif
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = total;
}

// One elected lane updates a word of each warp that all lanes then read.
extern "C" __global__ void syncwarp_of_one(const int *in, int *out) {
  __shared__ int word[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    word[warp] = in[2 * blockIdx.x + warp];
#ifdef FAULTY
    __syncwarp();  // hazard
#endif
  }
#ifndef FAULTY
  __syncwarp();
#endif
  __syncthreads();  // hazard
  out[64 * blockIdx.x + threadIdx.x] = word[warp] + threadIdx.x;
}

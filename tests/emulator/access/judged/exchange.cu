// Lanes of one warp exchange words through shared memory; since Volta they need not run together
// (CUDA C++ Programming Guide, Warp Synchronization), so __syncwarp must stand between.
extern "C" __global__ void kernel(const unsigned *in, unsigned *out) {
  __shared__ unsigned tile[32];
  unsigned lane = threadIdx.x;
  tile[lane] = in[lane];  // hazard
#ifdef MEET
  __syncwarp();
#endif
  out[lane] = tile[31 - lane];  // hazard
}

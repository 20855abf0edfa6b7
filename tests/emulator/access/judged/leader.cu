// The first lane of a warp asks for a place, and the others read it from shared memory. Only
// __syncwarp lets them read what it stored (CUDA C++ Programming Guide, Synchronization Functions).
extern "C" __global__ void kernel(const unsigned *in, unsigned *out) {
  __shared__ unsigned place;
  unsigned lane = threadIdx.x;
  if (lane == 0) place = atomicAdd(&out[32], 32u);  // hazard
#ifdef MEET
  __syncwarp();
#endif
  out[place + lane] = in[lane];  // hazard
}

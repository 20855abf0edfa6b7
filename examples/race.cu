// Every thread hands its number to the thread before it.
__global__ void hand_on(unsigned *out) {
  __shared__ unsigned buffer[64];
  buffer[threadIdx.x] = threadIdx.x;
  // fault: no __syncthreads() here
  out[threadIdx.x] = buffer[(threadIdx.x + 1) % 64];
}

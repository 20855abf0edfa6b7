// Producer and consumer warps that meet at cuda::barrier.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <iostream>

using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void produce_consume(const int *in, int *out, int n) {
  __shared__ int buffer[32];
  __shared__ barrier ready, filled;
  if (threadIdx.x == 0) {
    init(&ready, blockDim.x);
    init(&filled, blockDim.x);
  }
  __syncthreads();
  int lane = threadIdx.x % 32;
  for (int base = 0; base < n; base += 32) {
    if (threadIdx.x < 32) {
      ready.arrive_and_wait();
      buffer[lane] = 3 * in[base + lane];
      barrier::arrival_token token = filled.arrive();
      (void)token;
    } else {
      barrier::arrival_token token = ready.arrive();
      filled.arrive_and_wait();
      out[base + lane] = buffer[lane];
      (void)token;
    }
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  produce_consume<<<1, 64>>>(in, out, 128);
  std::cout << cudaDeviceSynchronize() << std::endl;
}

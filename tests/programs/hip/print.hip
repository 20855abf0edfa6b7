// printf of a kernel.
#include <hip/hip_runtime.h>
#include <stdio.h>

__global__ void hello(const float* x, const char* unused, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && i % 32 == 0)
    printf("block %d thread %d: x[%d] = %.2f, %s, %lld%%\n", (int)blockIdx.x, (int)threadIdx.x, i, x[i],
           i ? "later" : "first", (long long)i << 33);
}

int main() {
  float* x;
  hipMalloc(&x, 512);
  hello<<<2, 64>>>(x, nullptr, 128);
  hipDeviceSynchronize();
}

#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
__global__ void fill(float* x) { x[threadIdx.x] = 0; }
int main() { fill<<<1, 64>>>(nullptr); }

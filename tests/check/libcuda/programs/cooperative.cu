#include <cooperative_groups.h>
extern "C" __global__ void shift(int *values, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 10 * i;
#ifndef BROKEN
  cooperative_groups::this_grid().sync();
#endif
  out[i] = values[(i + blockDim.x) % n];
}

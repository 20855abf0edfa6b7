#include "program.h"

enum { N = 1000 };
int main(int count, char **arguments) {
  CUfunction add = kernel(begin(arguments[1]), "add");
  float a[N], b[N], c[N];
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i;
  CUdeviceptr x = device_copy(a, sizeof a), y = device_copy(b, sizeof b);
  CUdeviceptr z = device_copy(NULL, sizeof c);
  int n = N;
  void *given[] = {&x, &y, &z, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, NULL, given, NULL));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(c, z, sizeof c));
  for (int i = 0; i < N; i++) REQUIRE(c[i] == 3.0f * i);
  OK(cuMemFree(x));
  OK(cuMemFree(y));
  OK(cuMemFree(z));
  puts("right");
  return 0;
}

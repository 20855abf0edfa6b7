#include "program.h"

int main(int count, char **arguments) {
  CUmodule module = begin(arguments[1]);
  CUfunction weigh = kernel(module, "weigh");
  CUdeviceptr weights, seen;
  size_t size;
  int given[4] = {1, 10, 100, 1000}, back[8], n = 4;
  OK(cuModuleGetGlobal(&weights, &size, module, "weights"));
  REQUIRE(size == sizeof given);
  OK(cuMemcpyHtoD(weights, given, sizeof given));
  OK(cuModuleGetGlobal(&seen, &size, module, "seen"));
  OK(cuMemcpyDtoH(back, seen, sizeof back));
  for (int i = 0; i < 8; i++) REQUIRE(back[i] == 1);
  printf("before; ");
  struct { int n; } block = {n};
  size_t bytes = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(weigh, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
  OK(cuMemcpyDtoH(back, seen, sizeof back));
  for (int i = 0; i < 8; i++) REQUIRE(back[i] == given[i % 4] * i);
  puts("right");
  return 0;
}

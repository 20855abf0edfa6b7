#include "program.h"

enum { N = 5000, THREADS = 256 };
int main(int count, char **arguments) {
  CUfunction reduce = kernel(begin(arguments[1]), "reduce");
  int values[N], sum = 0, wanted = 0, n = N;
  for (int i = 0; i < N; i++) wanted += values[i] = i % 17 - 5;
  CUdeviceptr x = device_copy(values, sizeof values), y = device_copy(&sum, sizeof sum);
  void *given[] = {&x, &y, &n};
  int ctas = (N + THREADS - 1) / THREADS;
  OK(cuLaunchKernel(reduce, ctas, 1, 1, THREADS, 1, 1, THREADS * sizeof(int), NULL, given, NULL));
  OK(cuMemcpyDtoH(&sum, y, sizeof sum));
  REQUIRE(sum == wanted);
  puts("right");
  return 0;
}

#include "program.h"

#include <math.h>

enum { N = 256 };
static int called;
static void CUDA_CB note(void *data) { called += *(int *)data; }

int main(int count, char **arguments) {
  CUfunction scale = kernel(begin(arguments[1]), "scale");
  CUstream first, second;
  CUevent start, done;
  CUdeviceptr x;
  float *values, *back, factor = 3, time;
  int n = N, by = 5;
  OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&done, CU_EVENT_DEFAULT));
  OK(cuMemHostAlloc((void **)&values, N * sizeof *values, 0));
  OK(cuMemAllocHost((void **)&back, N * sizeof *back));
  for (int i = 0; i < N; i++) values[i] = i;
  OK(cuMemAllocAsync(&x, N * sizeof *values, first));
  OK(cuEventRecord(start, first));
#ifndef BROKEN /* the twin forgets to fill what the kernel reads */
  OK(cuMemcpyHtoDAsync(x, values, N * sizeof *values, first));
#endif
  void *given[] = {&x, &factor, &n};
  OK(cuLaunchKernel(scale, 2, 1, 1, 128, 1, 1, 0, first, given, NULL));
  OK(cuEventRecord(done, first));
  OK(cuStreamWaitEvent(second, done, 0));
  OK(cuMemcpyDtoHAsync(back, x, N * sizeof *back, second));
  OK(cuLaunchHostFunc(second, note, &by));
  OK(cuStreamSynchronize(second));
  OK(cuEventQuery(done));
  OK(cuEventElapsedTime(&time, start, done));
  REQUIRE(called == 5 && isnan(time));
  for (int i = 0; i < N; i++) REQUIRE(back[i] == 3.0f * i);
  OK(cuMemFreeAsync(x, second));
  OK(cuMemFreeHost(values));
  OK(cuStreamDestroy(first));
  puts("right");
  return 0;
}

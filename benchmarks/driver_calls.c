/* What calls of libcuda.so.1 cost: nanoseconds of each, by name (driver_calls.py). */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuDeviceGetAttribute(int *, int, int), cuPointerGetAttribute(void *, int, uint64_t);
int cuStreamCreate(void **, unsigned), cuStreamDestroy_v2(void *), cuStreamSynchronize(void *);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuEventDestroy_v2(void *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t);
int cuMemAllocHost_v2(void **, size_t), cuMemFreeHost(void *);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuMemcpyDtoD_v2(uint64_t, uint64_t, size_t), cuMemsetD8_v2(uint64_t, unsigned char, size_t);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

enum { CALLS = 20000, KILO = 1024, SOME = 65536 };
static const char TEXT[] = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                           ".visible .entry nothing() { ret; }\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The least of rounds of so many calls: others share the processor. */
#define MEASURE(name, count, call)                                                                 \
  do {                                                                                             \
    double best = 1e18;                                                                            \
    for (int round = 0; round < CALLS / (count) && round < 1000; round++) {                        \
      double start = now();                                                                        \
      for (int i = 0; i < (count); i++)                                                            \
        if (call) return printf("%s failed\n", name), 1;                                           \
      double each = (now() - start) / (count);                                                     \
      if (each < best) best = each;                                                                \
    }                                                                                              \
    printf("%.1f %s\n", best, name);                                                               \
    fflush(stdout);                                                                                \
  } while (0)

__attribute__((visibility("default"))) int measure(void) {
  static char host[SOME];
  void *context, *stream, *event, *module, *function, *pinned;
  uint64_t a, b, more;
  int value;
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
  if (cuMemAlloc_v2(&a, SOME) || cuMemAlloc_v2(&b, SOME)) return 1;
  if (cuMemcpyHtoD_v2(a, host, SOME) || cuMemcpyHtoD_v2(b, host, SOME)) return 1;
  if (cuStreamCreate(&stream, 0) || cuEventCreate(&event, 0)) return 1;
  if (cuModuleLoadData(&module, TEXT) || cuModuleGetFunction(&function, module, "nothing"))
    return 1;
  MEASURE("an attribute of the GPU", 10000, cuDeviceGetAttribute(&value, 16, 0));
  MEASURE("what a pointer points to", 10000, cuPointerGetAttribute(&value, 2, a));
  MEASURE("a stream, made and destroyed", 1000,
          cuStreamCreate(&context, 0) || cuStreamDestroy_v2(context));
  MEASURE("an event, recorded", 1000, cuEventRecord(event, stream));
  MEASURE("a copy of 1 KB to the GPU", 1000, cuMemcpyHtoD_v2(a, host, KILO));
  MEASURE("a copy of 1 KB from the GPU", 1000, cuMemcpyDtoH_v2(host, a, KILO));
  MEASURE("a copy of 1 KB on the GPU", 1000, cuMemcpyDtoD_v2(b, a, KILO));
  MEASURE("a fill of 1 KB", 1000, cuMemsetD8_v2(a, 1, KILO));
  MEASURE("a copy of 64 KB to the GPU", 100, cuMemcpyHtoD_v2(a, host, SOME));
  MEASURE("4 KB, allocated and freed", 10, cuMemAlloc_v2(&more, 4 * KILO) || cuMemFree_v2(more));
  MEASURE("4 KB of the host, allocated and freed", 1,
          cuMemAllocHost_v2(&pinned, 4 * KILO) || cuMemFreeHost(pinned));
  MEASURE("a launch of an empty kernel", 1,
          cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
  MEASURE("the same, with 4 KB allocated before it and freed", 1,
          cuMemAlloc_v2(&more, 4 * KILO) || cuMemFree_v2(more) ||
              cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
  return 0;
}

int main(void) { return measure(); }

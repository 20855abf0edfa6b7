#include "program.h"

enum { N = 64 };
static float a[N][N], b[N][N], c[N][N];
int main(int count, char **arguments) {
  CUfunction matmul = kernel(begin(arguments[1]), "matmul");
  int n = N, shared;
  for (int i = 0; i < N * N; i++) ((float *)a)[i] = i % 7, ((float *)b)[i] = i % 5;
  OK(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, matmul));
  REQUIRE(shared == 2048);
  CUdeviceptr x, y, z;
  size_t pitch;
  OK(cuMemAllocPitch(&x, &pitch, sizeof *a, N, 4));
  REQUIRE(pitch >= sizeof *a);
  y = device_copy(b, sizeof b);
  z = device_copy(NULL, sizeof c);
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = a,
                        .srcPitch = sizeof *a,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = x,
                        .dstPitch = sizeof *a,
                        .WidthInBytes = sizeof *a,
                        .Height = N};
  OK(cuMemcpy2D(&copy));
  void *given[] = {&x, &y, &z, &n};
  OK(cuLaunchKernel(matmul, N / 16, N / 16, 1, 16, 16, 1, 0, NULL, given, NULL));
  OK(cuMemcpyDtoH(c, z, sizeof c));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      REQUIRE(c[i][j] == sum);
    }
  puts("right");
  return 0;
}

/* Events around a launch, asked for and waited for; an error of a launch, told once. */
#include "samples.h"

__global__ void fill(int *values, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] = i;
}

int main() {
  const int count = 500;
  int *values = room_on_gpu<int>(count);
  cudaEvent_t start, end;
  float milliseconds = -1;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&end));
  CUDA(cudaEventRecord(start));
  fill<<<1, 64>>>(values, count); // broken: undefined
  CUDA(cudaEventRecord(end));
  CUDA(cudaEventSynchronize(end));
  REQUIRE(cudaEventQuery(end) == cudaSuccess);
  CUDA(cudaEventElapsedTime(&milliseconds, start, end));
  REQUIRE(milliseconds >= 0 || std::isnan(milliseconds)); // an emulator has no clock
  std::vector<int> found = from_gpu(values, count);
  for (int i = 0; i < count; i++) REQUIRE(found[i] == i);
  fill<<<1, 2048>>>(values, count);
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  fill<<<0, 64>>>(values, count);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  fill<<<1, 64, 60000>>>(values, count);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  REQUIRE(!strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                  "invalid configuration argument"));
  CUDA(cudaEventDestroy(start));
  CUDA(cudaEventDestroy(end));
  CUDA(cudaDeviceSynchronize());
  printf("events: right\n");
  return 0;
}

// Streams, events, occupancy, managed memory: the host's side of many samples.
#include <hip/hip_runtime.h>
#include <hip/hip_ext.h>
#include <chrono>
#include <string>
#include <utility>

extern "C" __global__ void axpy(const float a, const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = fmaf(a, x[i], y[i]);
}

int main() {
  hipStream_t stream;
  hipEvent_t start, stop;
  hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
  hipEventCreate(&start);
  hipEventCreate(&stop);
  float *x, *y;
  hipMallocManaged(&x, 4096);
  hipHostMalloc(&y, 4096, hipHostMallocDefault);
  int blocks = 0;
  hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, axpy, 256, 0);
  hipEventRecord(start, stream);
  axpy<<<4, 256, 0, stream>>>(2.f, x, y, 1024);
  hipEventRecord(stop, stream);
  hipEventSynchronize(stop);
  float ms;
  hipEventElapsedTime(&ms, start, stop);
  hipFree(x);
  hipHostFree(y);
}

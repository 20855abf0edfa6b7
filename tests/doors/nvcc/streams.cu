/* Parts of an array in streams of their own, pinned memory, one stream that waits for another. */
#include "samples.h"

__global__ void scale(float *values, int count, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

static void CUDART_CB count_call(cudaStream_t, cudaError_t, void *calls) {
  ++*static_cast<int *>(calls);
}

int main() {
  const int parts = 4, part = 1000, count = parts * part;
  float *host, *device;
  int calls = 0;
  cudaStream_t streams[parts];
  cudaEvent_t copied;
  CUDA(cudaMallocHost(&host, count * sizeof *host));
  CUDA(cudaMalloc(&device, count * sizeof *device));
  CUDA(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  for (int i = 0; i < count; i++) host[i] = static_cast<float>(i);
  for (int i = 0; i < parts; i++) {
    CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    float *from = host + i * part, *to = device + i * part;
    CUDA(cudaMemcpyAsync(to, from, part * sizeof *to, cudaMemcpyDefault, streams[i])); // broken: undefined
    scale<<<(part + 127) / 128, 128, 0, streams[i]>>>(to, part, 2.0f);
    CUDA(cudaMemcpyAsync(from, to, part * sizeof *to, cudaMemcpyDeviceToHost, streams[i]));
    CUDA(cudaStreamAddCallback(streams[i], count_call, &calls, 0));
  }
  CUDA(cudaEventRecord(copied, streams[0]));
  CUDA(cudaStreamWaitEvent(streams[1], copied, 0));
  for (cudaStream_t each : streams) {
    CUDA(cudaStreamSynchronize(each));
    CUDA(cudaStreamDestroy(each));
  }
  for (int i = 0; i < count; i++) REQUIRE(host[i] == 2.0f * static_cast<float>(i));
  REQUIRE(calls == parts);
  CUDA(cudaFreeHost(host));
  printf("streams: right\n");
  return 0;
}

/* Launches as a graph where the GPU has graphs; else one after the other. */
#include "samples.h"

__global__ void add(int *values, int count, int more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) // broken: out-of-bounds
    values[i] += more;
}

int main() {
  const int count = 100, times = 5;
  int *values = on_gpu(std::vector<int>(count, 0));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  bool captured = status == cudaSuccess;
  REQUIRE(captured || status == cudaErrorNotSupported);
  if (!captured) REQUIRE(cudaGetLastError() == cudaErrorNotSupported);
  for (int i = 0; i < times; i++) add<<<2, 64, 0, stream>>>(values, count, i);
  if (captured) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    CUDA(cudaGraphLaunch(executable, stream));
  }
  CUDA(cudaStreamSynchronize(stream));
  for (int each : from_gpu(values, count)) REQUIRE(each == 10);
  printf("graphs: right\n");
  return 0;
}

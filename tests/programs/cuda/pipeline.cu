// Double buffering with cuda::pipeline and memcpy_async.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int kStages = 2, kBatch = 128;

__global__ void batches(const float *in, float *out, int count) {
  auto block = cg::this_thread_block();
  __shared__ float buffer[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int compute = 0, fetch = 0; compute < count; ++compute) {
    for (; fetch < count && fetch < compute + kStages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[fetch % kStages], in + fetch * kBatch,
                         sizeof(float) * kBatch, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[compute % kStages][kBatch - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 6 * kBatch * sizeof(float));
  cudaMalloc(&out, kBatch * sizeof(float));
  batches<<<1, kBatch>>>(in, out, 6);
  printf("%d\n", (int)cudaDeviceSynchronize());
}

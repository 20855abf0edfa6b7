// Asynchronous copies by way of libcu++.
#include <cuda/barrier>
#include <cuda/pipeline>

extern "C" __global__ void piped(const int *x, int *y, int batches) {
  constexpr int stages = 2;
  __shared__ int room[stages][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  (void)state;
  for (int i = 0; i < batches + stages - 1; i++) {
    if (i < batches) {
      pipe.producer_acquire();
      cuda::memcpy_async(&room[i % stages][threadIdx.x], x + i * 128 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (i >= stages - 1) {
      int batch = i - (stages - 1);
      if (i < batches) cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
      else cuda::pipeline_consumer_wait_prior<0>(pipe);
      __syncthreads();
      y[batch * 128 + threadIdx.x] = room[batch % stages][127 - threadIdx.x] * 3;
      __syncthreads();
      pipe.consumer_release();
    }
  }
}

#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void barred(const int *x, int *y) {
  __shared__ alignas(16) int room[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(room, x + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof room), ready);
    token = ready.arrive();
  } else {
    token = ready.arrive();
  }
  ready.wait(std::move(token));
  y[blockIdx.x * 256 + threadIdx.x] = room[255 - threadIdx.x] + 1;
}

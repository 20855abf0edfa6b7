struct alignas(64) CUtensorMap_st {  // as cuda.h has it, which NVRTC cannot read
  unsigned long long opaque[16];
};
typedef CUtensorMap_st CUtensorMap;
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
extern "C" __global__ void load(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[8][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full;
  if (!threadIdx.x) {
    init(&full, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (!threadIdx.x) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 32 * blockIdx.x, 0, full);
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
  } else {
    token = full.arrive();
  }
#ifndef BROKEN
  full.wait(std::move(token));
#endif
  for (int row = 0; row < 8; row++)
    out[row * 64 + 32 * blockIdx.x + threadIdx.x] = 2 * tile[row][threadIdx.x];
}

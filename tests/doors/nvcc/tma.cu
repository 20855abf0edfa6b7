/* A tile of a matrix by TMA; cuTensorMapEncodeTiled comes by cudaGetDriverEntryPointByVersion. */
#include "samples.h"

const int ROWS = 8, COLUMNS = 64;

__device__ unsigned shared_address(const void *at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

__device__ void wait(unsigned barrier) {
  unsigned done;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
  } while (!done);
}

__global__ void twice(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[ROWS][COLUMNS];
  __shared__ alignas(8) uint64_t full;
  unsigned barrier = shared_address(&full);
  if (!threadIdx.x) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"((unsigned)sizeof tile));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
                 "l"(&map), "r"(0), "r"((int)(blockIdx.x * ROWS)), "r"(barrier)
                 : "memory");
  }
  __syncthreads();
  wait(barrier); // broken: pending
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x)
    out[blockIdx.x * ROWS * COLUMNS + i] = 2 * tile[i / COLUMNS][i % COLUMNS];
}

int main() {
  const int ctas = 3, count = ctas * ROWS * COLUMNS;
  std::vector<int> values(count);
  for (int i = 0; i < count; i++) values[i] = i;
  int *matrix = on_gpu(values), *out = room_on_gpu<int>(count);
  cudaDriverEntryPointQueryResult found;
  decltype(&cuTensorMapEncodeTiled) encode;
  CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
                                        cudaEnableDefault, &found));
  REQUIRE(found == cudaDriverEntryPointSuccess && encode);
  CUtensorMap map;
  cuuint64_t sizes[] = {COLUMNS, ctas * ROWS}, strides[] = {COLUMNS * sizeof(int)};
  cuuint32_t box[] = {COLUMNS, ROWS}, steps[] = {1, 1};
  CUresult status = encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, sizes, strides, box,
                           steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  REQUIRE(status == CUDA_SUCCESS);
  twice<<<ctas, 64>>>(map, out);
  std::vector<int> doubled = from_gpu(out, count);
  for (int i = 0; i < count; i++) REQUIRE(doubled[i] == 2 * i);
  printf("tma: right\n");
  return 0;
}

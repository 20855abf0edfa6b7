/* Each kind of atomic operation on memory of the GPU, and a lock by compare and swap. */
#include "samples.h"

struct Results {
  int sum, least, most, bits, last;
  unsigned wrapped, locked;
  float total;
};

__global__ void combine(Results *results, int *lock) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&results->sum, i);
  atomicMin(&results->least, -i);
  // broken: order: results->most = max(results->most, i);
  atomicMax(&results->most, i);
  atomicOr(&results->bits, 1 << i % 8);
  atomicExch(&results->last, 3);
  atomicInc(&results->wrapped, 9);
  atomicAdd(&results->total, 0.5f);
  if (threadIdx.x) return;
  while (atomicCAS(lock, 0, 1)) {}
  __threadfence();
  ++*(volatile unsigned *)&results->locked;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  const int count = 256;
  Results *results = on_gpu(std::vector<Results>(1, Results{}));
  int *lock = on_gpu(std::vector<int>(1, 0));
  combine<<<4, count / 4>>>(results, lock);
  Results found = from_gpu(results, 1)[0];
  REQUIRE(found.sum == count * (count - 1) / 2 && found.least == 1 - count);
  REQUIRE(found.most == count - 1 && found.bits == 255 && found.last == 3);
  REQUIRE(found.wrapped == count % 10 && found.total == 0.5f * count && found.locked == 4);
  printf("atomics: right\n");
  return 0;
}

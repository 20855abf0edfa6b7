/* Inclusive prefix sums: of each CTA, of the CTAs' totals, and both added. */
#include "samples.h"

const int SIZE = 128;

__global__ void scan_block(const int *in, int *out, int *totals) {
  __shared__ int sums[SIZE];
  int lane = threadIdx.x, at = blockIdx.x * SIZE + lane;
  sums[lane] = in[at];
  __syncthreads();
  for (int step = 1; step < SIZE; step *= 2) {
    int before = lane >= step ? sums[lane - step] : 0;
    __syncthreads(); // broken: order
    sums[lane] += before;
    __syncthreads();
  }
  out[at] = sums[lane];
  if (lane == SIZE - 1) totals[blockIdx.x] = sums[lane];
}

__global__ void add_totals(int *out, const int *totals) {
  if (blockIdx.x) out[blockIdx.x * SIZE + threadIdx.x] += totals[blockIdx.x - 1];
}

int main() {
  std::vector<int> values(SIZE * SIZE);
  for (size_t i = 0; i < values.size(); i++) values[i] = static_cast<int>(i * 31 % 13);
  int *in = on_gpu(values), *out = room_on_gpu<int>(values.size());
  int *totals = room_on_gpu<int>(SIZE), *unused = room_on_gpu<int>(1);
  scan_block<<<SIZE, SIZE>>>(in, out, totals);
  scan_block<<<1, SIZE>>>(totals, totals, unused);
  add_totals<<<SIZE, SIZE>>>(out, totals);
  int sum = 0;
  std::vector<int> found = from_gpu(out, values.size());
  for (size_t i = 0; i < values.size(); i++) REQUIRE(found[i] == (sum += values[i]));
  printf("scan: right\n");
  return 0;
}

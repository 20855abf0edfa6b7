/* Instructions that C++ has no words for, as PTX in the source: lanes, carries, bytes, cp.async. */
#include "samples.h"

__device__ unsigned lane_of_thread() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ uint4 sum_of_128_bits(uint4 a, uint4 b) {
  uint4 c;
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;"
      : "=r"(c.x), "=r"(c.y), "=r"(c.z), "=r"(c.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w));
  return c;
}

__global__ void add_wide(const uint4 *a, uint4 *sums, unsigned *reversed) {
  __shared__ uint4 staged[64];
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&staged[threadIdx.x]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory"); // broken: pending
  uint4 own = staged[threadIdx.x];
  sums[threadIdx.x] = sum_of_128_bits(own, make_uint4(1, 0, 0, lane_of_thread()));
  unsigned bytes;
  asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(bytes) : "r"(own.y + threadIdx.x));
  reversed[threadIdx.x] = bytes;
}

int main() {
  const int count = 64;
  std::vector<uint4> a(count, make_uint4(0xffffffffu, 0xffffffffu, 0xffffffffu, 7));
  a[5] = make_uint4(9, 0x01020304, 0, 0);
  uint4 *sums = room_on_gpu<uint4>(count);
  unsigned *reversed = room_on_gpu<unsigned>(count);
  add_wide<<<1, count>>>(on_gpu(a), sums, reversed);
  std::vector<uint4> found = from_gpu(sums, count);
  std::vector<unsigned> bytes = from_gpu(reversed, count);
  for (unsigned i = 0; i < count; i++) {
    unsigned high = a[i].w + i % 32 + (i != 5);
    REQUIRE(found[i].x == (i == 5 ? 10 : 0) && found[i].w == high);
    REQUIRE(bytes[i] == __builtin_bswap32(a[i].y + i));
  }
  printf("inline_ptx: right\n");
  return 0;
}

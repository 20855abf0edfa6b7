// Two warps store the same matrix to the same place, as warps do that have the same fragment. What
// is stored is what is there already, so no order could make a difference.
extern "C" __global__ void kernel(const unsigned *in, unsigned *out) {
  __shared__ __align__(16) unsigned tile[32];
  unsigned lane = threadIdx.x % 32, value = in[lane];
#ifdef DIFFER
  value += threadIdx.x / 32;
#endif
  unsigned row = (unsigned)__cvta_generic_to_shared(tile) + 16 * (lane % 8);
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
               ::"r"(row), "r"(value) : "memory");  // hazard
  __syncthreads();
  if (threadIdx.x < 32) out[lane] = tile[lane];
}

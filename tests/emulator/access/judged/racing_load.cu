// Warp 1 reads what warp 0 writes, and nothing orders the two. Where nothing uses the value that is
// no fault: redundant warps do it. Where it decides something, it is one, of both places.
extern "C" __global__ void kernel(const unsigned *in, unsigned *out) {
  __shared__ unsigned tile[32];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, seen = 0;
  unsigned place = (unsigned)__cvta_generic_to_shared(tile + lane);
  if (warp == 0) tile[lane] = 0;
  __syncthreads();
  if (warp == 0) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(place), "r"(in[lane]) : "memory");  // store
    return;
  }
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(seen) : "r"(place) : "memory");  // load
#if defined(BRANCH)
  if (seen > 5) out[lane] = 1;  // BRANCH
#elif defined(ADDRESS)
  out[seen % 32] = lane;  // ADDRESS
#elif defined(HOST)
  out[lane] = seen;  // HOST
#else
  out[lane] = lane;
#endif
}

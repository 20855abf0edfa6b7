// CTA 0 consumes what CTA 1 produces, through four places with a flag for full and one for free.
__device__ unsigned relaxed(unsigned *p) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}

__device__ unsigned acquired(unsigned *p) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");  // NARROW
  return value;
}

#if defined(NO_ACQUIRE)
#define IS_FULL relaxed
#else
#define IS_FULL acquired
#endif
#if defined(HASTY)
#define IS_FREE relaxed
#else
#define IS_FREE acquired
#endif

__device__ void released(unsigned *p, unsigned value) {
#if defined(NO_RELEASE)
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
#elif defined(NARROW)
  asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");  // NARROW
#else
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
#endif
}

extern "C" __global__ void ring_buffer(const unsigned *in, unsigned *out, unsigned *buffer,
                                       unsigned *full, unsigned *free_again, unsigned rounds) {
  unsigned t = threadIdx.x;
  for (unsigned i = 0; i < rounds; i++) {
    unsigned place = i % 4, turn = i / 4 + 1, *cell = buffer + place * blockDim.x + t;
    if (blockIdx.x == 1) {
      if (t == 0)
        while (IS_FREE(free_again + place) != turn - 1) {}
      __syncthreads();
      *cell = in[i * blockDim.x + t];  // HASTY NO_RELEASE NO_ACQUIRE NARROW
      __syncthreads();
      if (t == 0) released(full + place, turn);
    } else {
      if (t == 0)
        while (IS_FULL(full + place) != turn) {}
      __syncthreads();
      out[i * blockDim.x + t] = *cell + i;  // NO_RELEASE NO_ACQUIRE NARROW
      __syncthreads();
      if (t == 0) released(free_again + place, turn);
    }
  }
}

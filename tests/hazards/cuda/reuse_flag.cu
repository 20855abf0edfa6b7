// A CTA releases a value with a flag; another one acquires it and stores another value in the flag.
extern "C" __global__ void reuse_flag(unsigned *data, unsigned *flag, unsigned *out) {
  unsigned seen = 0;
  if (blockIdx.x == 0) {
    *data = 17;
#ifdef RELAXED
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
#else
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");  // BLIND
#endif
    return;
  }
#ifndef BLIND
  while (!seen)
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  *out = *data;  // RELAXED
#endif
  *flag = 2;  // BLIND
}

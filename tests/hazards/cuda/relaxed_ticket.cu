// The CTA that draws the last ticket stores zero in it. Its relaxed atomic observed all the others, one through
// the other, and program order puts the store after it (PTX ISA, Observation order, Causality order).
extern "C" __global__ void relaxed_ticket(unsigned *ticket, unsigned *out) {
  unsigned before;
#if defined(NARROW)
  asm volatile("atom.add.relaxed.cta.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(ticket) : "memory");  // NARROW
#elif defined(BROKEN)
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(before) : "l"(ticket) : "memory");
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(ticket), "r"(before + 1) : "memory");  // BROKEN
#else
  asm volatile("atom.add.relaxed.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(ticket) : "memory");  // FIRST
#endif
#if defined(FIRST)
  if (before == 0) *ticket = 7;  // FIRST
#else
  if (before + 1 < gridDim.x) return;
  out[1] = *ticket;  // BROKEN
  *ticket = 0;  // BROKEN NARROW
#endif
  out[0] = before;
}

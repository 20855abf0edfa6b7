// The CTA that is last to finish sums the parts and stores zero in the ticket, for the next launch:
// it acquired what the others' atomics released, which includes those atomics themselves.
extern "C" __global__ void reset_ticket(unsigned *parts, unsigned *arrived, unsigned *out) {
  unsigned before, sum = 0;
  parts[blockIdx.x] = 3 * blockIdx.x + 1;
#ifdef RELAXED
  asm volatile("atom.add.relaxed.gpu.global.u32 %0, [%1], 1;"
               : "=r"(before) : "l"(arrived) : "memory");
#else
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;"
               : "=r"(before) : "l"(arrived) : "memory");  // FIRST
#endif
#ifdef FIRST
  if (before == 0) *arrived = 0;  // FIRST
#endif
  if (before + 1 < gridDim.x) return;
  for (unsigned i = 0; i < gridDim.x; i++) sum += parts[i];  // RELAXED
  *out += sum;
  *arrived = 0;
}

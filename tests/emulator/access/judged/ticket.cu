// Partial results by atomicAdd, a ticket, and a plain read by whoever draws the last one. Without
// a fence nothing orders the read after the others' sums, although each of them is atomic.
extern "C" __global__ void kernel(const unsigned *in, unsigned *total, unsigned *done,
                                  unsigned *out) {
  if (threadIdx.x) return;
  atomicAdd(total, in[blockIdx.x]);
#ifdef FENCE
  __threadfence();
#endif
  unsigned ticket = atomicAdd(done, 1u);
#ifdef FENCE
  __threadfence();
#endif
  if (ticket == gridDim.x - 1) *out = *total;  // hazard
}

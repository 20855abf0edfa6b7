// Half a warp has left when the rest reads lane 20 with a mask of all lanes: the value is undefined
// (PTX ISA, shfl.sync), and the lane that is not there is what the programmer must hear of.
extern "C" __global__ void kernel(const unsigned *in, unsigned *out) {
  unsigned lane = threadIdx.x;
#ifndef STAY
  if (lane >= 16) return;
#endif
  out[lane] = __shfl_sync(0xffffffffu, in[lane], 20);  // hazard
}

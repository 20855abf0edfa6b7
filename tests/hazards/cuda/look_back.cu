// Inclusive scan in one pass: a tile adds up the sums of the tiles before it until it meets one that
// knows its prefix (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back"). `backwards` gives the tiles out from the last one, so that each waits for CTAs that
// begin later.
enum { NOTHING, SUM, PREFIX };

__device__ unsigned look_back(int tile, unsigned *sums, unsigned *prefixes, unsigned *states) {
  unsigned before = 0;
  for (int i = tile - 1; i >= 0; i--) {
    unsigned state;
    do {
      state = *(volatile unsigned *)(states + i);
    } while (state == NOTHING);
#ifndef NO_ACQUIRE
    __threadfence();
#endif
    if (state == PREFIX) return before + prefixes[i];  // NO_RELEASE NO_ACQUIRE
    before += sums[i];  // NO_RELEASE NO_ACQUIRE
  }
  return before;
}

__device__ void publish(unsigned *where, unsigned value, unsigned *state, unsigned kind) {
  *where = value;
#ifndef NO_RELEASE
  __threadfence();
#endif
  *(volatile unsigned *)state = kind;
}

extern "C" __global__ void scan(const unsigned *in, unsigned *out, unsigned *sums,
                                unsigned *prefixes, unsigned *states, unsigned backwards) {
  __shared__ unsigned values[128], base;
  unsigned t = threadIdx.x;
  int tile = backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  values[t] = in[tile * 128 + t];
  for (unsigned step = 1; step < 128; step *= 2) {
    __syncthreads();
    unsigned other = t >= step ? values[t - step] : 0;
    __syncthreads();
    values[t] += other;
  }
  __syncthreads();
  if (t == 0) {
    if (tile) publish(sums + tile, values[127], states + tile, SUM);
    base = look_back(tile, sums, prefixes, states);
    publish(prefixes + tile, base + values[127], states + tile, PREFIX);
  }
  __syncthreads();
  out[tile * 128 + t] = base + values[t];
}

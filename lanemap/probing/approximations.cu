// How far an approximate instruction is from the correctly rounded result, over all 2^32 inputs.
// FUNCTION is the PTX instruction, REFERENCE(x) the same function of a double, FTZ 0 or 1.
// The distance counts f32 values between both results; a NaN on one side alone has distance ~0u.
__device__ float approximate(float x) {
  float y;
  asm(FUNCTION " %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ float flushed(float x) {
  return FTZ && fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x;
}

__device__ unsigned ordered(float x) {
  unsigned u = __float_as_uint(x);
  return u >> 31 ? 0x80000000u - (u & 0x7fffffffu) : 0x80000000u + u;
}

__device__ unsigned distance(unsigned bits) {
  float x = flushed(__uint_as_float(bits)), y = approximate(__uint_as_float(bits));
  float r = flushed((float)REFERENCE((double)x));
  if (isnan(r) || isnan(y)) return isnan(r) && isnan(y) ? 0 : ~0u;
  unsigned a = ordered(y), b = ordered(r);
  return a > b ? a - b : b - a;
}

__device__ unsigned bucket(unsigned d) {
  return d == ~0u ? 35 : d < 4 ? d : 33 - __clz(d);
}

// counts[bucket]: 0, 1, 2, 3, then powers of two; the last for a NaN on one side alone.
// largest: the largest other distance.
extern "C" __global__ void histogram(unsigned long long* counts, unsigned* largest) {
  __shared__ unsigned mine[36];
  if (threadIdx.x < 36) mine[threadIdx.x] = 0;
  __syncthreads();
  unsigned stride = gridDim.x * blockDim.x, most = 0;
  unsigned long long first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned long long i = first; i < 1ull << 32; i += stride) {
    unsigned d = distance((unsigned)i);
    atomicAdd(&mine[bucket(d)], 1u);
    if (d != ~0u && d > most) most = d;
  }
  atomicMax(largest, most);
  __syncthreads();
  if (threadIdx.x < 36) atomicAdd(&counts[threadIdx.x], (unsigned long long)mine[threadIdx.x]);
}

// fine[n]: inputs whose distance is low + n * step or more, below the next.
extern "C" __global__ void refine(unsigned* fine, unsigned low, unsigned step, unsigned bins) {
  unsigned stride = gridDim.x * blockDim.x;
  unsigned long long first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned long long i = first; i < 1ull << 32; i += stride) {
    unsigned d = distance((unsigned)i);
    if (d != ~0u && d >= low) atomicAdd(&fine[min((d - low) / step, bins - 1)], 1u);
  }
}

// Inputs whose distance is at least `low`, with that distance, up to `room` of them.
extern "C" __global__ void collect(uint2* found, unsigned* count, unsigned low, unsigned room) {
  unsigned stride = gridDim.x * blockDim.x;
  unsigned long long first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned long long i = first; i < 1ull << 32; i += stride) {
    unsigned d = distance((unsigned)i);
    if (d == ~0u || d < low) continue;
    unsigned at = atomicAdd(count, 1u);
    if (at < room) found[at] = make_uint2(d, (unsigned)i);
  }
}

// The results themselves of a list of inputs.
extern "C" __global__ void results(const unsigned* inputs, unsigned* out, unsigned* exact,
                                   unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = __uint_as_float(inputs[i]);
  out[i] = __float_as_uint(approximate(x));
  exact[i] = __float_as_uint(flushed((float)REFERENCE((double)flushed(x))));
}

// How far an approximate instruction is from the rounded result, over 2^32 inputs.
// FUNCTION is the PTX instruction, REFERENCE(x) the same function of a double, FTZ 0 or 1.
// SHAPE 1: every f32. 2: a quotient of pairs of f32 made from the number by a hash, of which the
// divisor's magnitude is from 2^-126 to below 2^126. 3: every upper word of an f64, the lower word 0, and
// the result's upper word. 4: the same with the whole result.
// A distance counts values between both results; a NaN on one side alone has distance ~0u.
typedef unsigned long long u64;

__device__ float flushed(float x) {
  return FTZ && fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x;
}

__device__ unsigned mixed(unsigned x) {  // a permutation of 32 bits
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
  return x;
}

// The input of number i: an f32, two of them, or the upper word of an f64.
__device__ u64 input(unsigned i) {
  if (SHAPE != 2) return i;
  unsigned divisor = mixed(i), exponent = 1 + (divisor >> 23 & 255) % 252;
  return (u64)mixed(~i) << 32 | (divisor & 0x807fffffu) | exponent << 23;
}

__device__ double wide(u64 in) { return __hiloint2double((int)in, 0); }

__device__ u64 approximate(u64 in) {
#if SHAPE == 1
  float y;
  asm(FUNCTION " %0, %1;" : "=f"(y) : "f"(__uint_as_float((unsigned)in)));
  return __float_as_uint(y);
#elif SHAPE == 2
  float y, a = __uint_as_float((unsigned)(in >> 32)), b = __uint_as_float((unsigned)in);
  asm(FUNCTION " %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return __float_as_uint(y);
#else
  double y;
  asm(FUNCTION " %0, %1;" : "=d"(y) : "d"(wide(in)));
  return __double_as_longlong(y);
#endif
}

__device__ u64 rounded(u64 in) {
#if SHAPE == 1
  return __float_as_uint(flushed((float)REFERENCE((double)flushed(__uint_as_float((unsigned)in)))));
#elif SHAPE == 2
  float a = flushed(__uint_as_float((unsigned)(in >> 32))), b = __uint_as_float((unsigned)in);
  return __float_as_uint(flushed((float)((double)a / (double)b)));
#else
  double x = wide(in);
  if (FTZ && fabs(x) < 2.2250738585072014e-308) x = copysign(0.0, x);
  double y = REFERENCE(x);
  if (FTZ && fabs(y) < 2.2250738585072014e-308) y = copysign(0.0, y);
  return __double_as_longlong(y);
#endif
}

__device__ bool no_number(u64 x) {
  return SHAPE < 3 ? (x & 0x7fffffff) > 0x7f800000 : (x & ~(1ull << 63)) > 0x7ffull << 52;
}

// Values in rising order; of SHAPE 3 the upper words alone.
__device__ long long ordered(u64 x) {
  int bits = SHAPE < 3 ? 31 : 63;
  long long magnitude = (long long)(x & ((1ull << bits) - 1));
  if (SHAPE == 3) magnitude >>= 32;
  return x >> bits ? -magnitude : magnitude;
}

__device__ unsigned distance(unsigned i) {
  u64 in = input(i), y = approximate(in), r = rounded(in);
  if (no_number(r) || no_number(y)) return no_number(r) && no_number(y) ? 0 : ~0u;
  long long a = ordered(y), b = ordered(r);
  u64 between = a > b ? (u64)a - (u64)b : (u64)b - (u64)a;
  return between < ~0u ? (unsigned)between : ~0u - 1;
}

__device__ unsigned bucket(unsigned d) {
  return d == ~0u ? 35 : d < 4 ? d : 33 - __clz(d);
}

// counts[bucket]: 0, 1, 2, 3, then powers of two; the last for a NaN on one side alone.
// largest: the largest other distance.
extern "C" __global__ void histogram(u64* counts, unsigned* largest) {
  __shared__ unsigned mine[36];
  if (threadIdx.x < 36) mine[threadIdx.x] = 0;
  __syncthreads();
  unsigned stride = gridDim.x * blockDim.x, most = 0;
  u64 first = blockIdx.x * blockDim.x + threadIdx.x;
  for (u64 i = first; i < 1ull << 32; i += stride) {
    unsigned d = distance((unsigned)i);
    atomicAdd(&mine[bucket(d)], 1u);
    if (d != ~0u && d > most) most = d;
  }
  atomicMax(largest, most);
  __syncthreads();
  if (threadIdx.x < 36) atomicAdd(&counts[threadIdx.x], (u64)mine[threadIdx.x]);
}

// fine[n]: inputs whose distance is low + n * step or more, below the next.
extern "C" __global__ void refine(unsigned* fine, unsigned low, unsigned step, unsigned bins) {
  unsigned stride = gridDim.x * blockDim.x;
  u64 first = blockIdx.x * blockDim.x + threadIdx.x;
  for (u64 i = first; i < 1ull << 32; i += stride) {
    unsigned d = distance((unsigned)i);
    if (d != ~0u && d >= low) atomicAdd(&fine[min((d - low) / step, bins - 1)], 1u);
  }
}

// Numbers below `limit` of inputs whose distance is at least `low`, with that distance, up to `room`.
extern "C" __global__ void collect(uint2* found, unsigned* count, unsigned low, unsigned room,
                                   u64 limit) {
  unsigned stride = gridDim.x * blockDim.x;
  u64 first = blockIdx.x * blockDim.x + threadIdx.x;
  for (u64 i = first; i < limit; i += stride) {
    unsigned d = distance((unsigned)i);
    if (d == ~0u || d < low) continue;
    unsigned at = atomicAdd(count, 1u);
    if (at < room) found[at] = make_uint2(d, (unsigned)i);
  }
}

// Inputs and results themselves of a list of numbers.
extern "C" __global__ void results(const unsigned* numbers, u64* in, u64* out, u64* exact,
                                   unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  in[i] = input(numbers[i]);
  out[i] = approximate(in[i]);
  exact[i] = rounded(in[i]);
}

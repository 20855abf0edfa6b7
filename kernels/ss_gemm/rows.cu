// Copies rows of bytes: operands to where TMA can reach them, and C back. Rows may begin anywhere.
#include "overlap.h"

constexpr unsigned UNIT = 16;

// How rows lie: from one to the next on both sides, and what each has.
struct Rows {
  unsigned long long to_pitch, from_pitch, bytes, count, units;
};

// 16 bytes from byte `shift` of two units on.
DEVICE uint4 shifted(const uint4 &low, const uint4 &high, unsigned shift) {
  unsigned words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}, out[4];
#pragma unroll
  for (unsigned first = 0; first < 4; ++first)
    if (first == shift / 4)
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        out[i] = __funnelshift_r(words[first + i], words[first + i + 1], shift % 4 * 8);
  return make_uint4(out[0], out[1], out[2], out[3]);
}

// Each thread copies the bytes that go to a unit of memory; a row goes to at most `units` of them.
extern "C" __global__ void __launch_bounds__(256)
copy_rows(unsigned char *to, const unsigned char *from, const __grid_constant__ Rows rows) {
  let_later_work_begin();
  wait_for_earlier_work();
  unsigned long long all = rows.count * rows.units, threads = gridDim.x * 256ull;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < all; i += threads) {
    unsigned long long row = i / rows.units;
    unsigned char *own = to + row * rows.to_pitch, *end = own + rows.bytes;
    const unsigned char *source = from + row * rows.from_pitch, *last = source + rows.bytes;
    unsigned before = reinterpret_cast<unsigned long long>(own) % UNIT;
    unsigned shift = (reinterpret_cast<unsigned long long>(source) - before) % UNIT;
    unsigned char *unit = own - before + (i - row * rows.units) * UNIT;
    const unsigned char *low = source + (unit - own) - shift;
    if (unit >= own && end - unit >= UNIT && low >= source && last - low >= 2 * UNIT) {
      uint4 a = *reinterpret_cast<const uint4 *>(low);
      uint4 b = *reinterpret_cast<const uint4 *>(low + UNIT);
      *reinterpret_cast<uint4 *>(unit) = shifted(a, b, shift);
    } else {
      unsigned char bytes[UNIT];
#pragma unroll
      for (unsigned j = 0; j < UNIT; ++j)
        if (unit + j >= own && unit + j < end) bytes[j] = source[unit + j - own];
#pragma unroll
      for (unsigned j = 0; j < UNIT; ++j)
        if (unit + j >= own && unit + j < end) unit[j] = bytes[j];
    }
  }
}

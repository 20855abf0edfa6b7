// What the GEMV on CUDA cores needs: wide loads, the decoding of e2m1 and ue4m3, and the dot product
// of a block of 16. Both decodings are exact, so that their sums are equal bit for bit.
#pragma once
#include "async.h"

// 16 bytes that no other thread reads: they stay out of L1. ld.global.nc is for what is read-only for
// a kernel's whole lifetime (CUDA C++ Programming Guide, __ldg); earlier work of the stream may write
// these bytes until this kernel has waited for it.
DEVICE uint4 load_once(const unsigned char *from) {
  uint4 v;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
}

// Those that other warps read as well. Volatile: loads keep their order.
DEVICE uint4 load_wide(const unsigned char *from) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
}

DEVICE unsigned load_two(const unsigned char *from) {
  unsigned short v;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(v) : "l"(from));
  return v;
}

DEVICE float2 widen(unsigned halves) {
  float2 both;
  asm("{\n"
      ".reg .b16 low, high;\n"
      "mov.b32 {low, high}, %2;\n"
      "cvt.f32.f16 %0, low;\n"
      "cvt.f32.f16 %1, high;\n"
      "}" : "=f"(both.x), "=f"(both.y) : "r"(halves));
  return both;
}

// Two scales, e4m3, from the low 16 bits (PTX ISA 9.0, cvt.rn.f16x2.e4m3x2); f16 holds each exactly.
DEVICE float2 decode_scales(unsigned pair) {
  unsigned halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(static_cast<unsigned short>(pair)));
  return widen(halves);
}

#if __CUDA_ARCH__ >= 1000
// Pairs of e2m1 become pairs of f16 (PTX ISA 9.0, cvt.rn.f16x2.e2m1x2), the lower nibble first.
constexpr float UNIT = 1;         // of a block's dot product
constexpr int BLOCK_BYTES = 32;   // of a decoded block of B

struct Block {
  uint4 low, high;
};

struct Decoder {
  static __device__ __forceinline__ void pairs(unsigned (&to)[4], unsigned word) {
    asm("{\n"
        ".reg .b8 a, b, c, d;\n"
        "mov.b32 {a, b, c, d}, %4;\n"
        "cvt.rn.f16x2.e2m1x2 %0, a;\n"
        "cvt.rn.f16x2.e2m1x2 %1, b;\n"
        "cvt.rn.f16x2.e2m1x2 %2, c;\n"
        "cvt.rn.f16x2.e2m1x2 %3, d;\n"
        "}" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(word));
  }

  __device__ __forceinline__ Block block(uint2 packed) const {
    unsigned first[4], second[4];
    pairs(first, packed.x);
    pairs(second, packed.y);
    return {{first[0], first[1], first[2], first[3]}, {second[0], second[1], second[2], second[3]}};
  }

  // Adds eight products.
  static __device__ __forceinline__ void add(unsigned &sum, unsigned word, const uint4 &b) {
    unsigned a[4], factors[4] = {b.x, b.y, b.z, b.w};
    pairs(a, word);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      asm("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(a[i]), "r"(factors[i]));
  }

  // Eight products of at most 36, in quarters, are summed in each f16: below 2048 quarters, so
  // exact.
  __device__ __forceinline__ float dot(unsigned first, unsigned second, const Block &b) const {
    unsigned sum = 0;
    add(sum, first, b.low);
    add(sum, second, b.high);
    float2 halves = widen(sum);
    return halves.x + halves.y;
  }
};
#else
// Twice an e2m1 is one of these eight integers with a sign. PRMT takes a nibble as the selector of a
// byte; bit 3 of the selector, which is the sign of the e2m1, asks for the byte's top bit instead
// (PTX ISA 9.0, prmt), which is 0 in all of them. So one PRMT gives the positive elements, and one of
// the word with all signs flipped gives the negative ones.
constexpr unsigned SIGNS = 0x88888888;
constexpr float UNIT = 0.25f;    // the product of two halves
constexpr int BLOCK_BYTES = 16;

struct Block {
  uint4 bytes;
};

struct Decoder {
  unsigned low, high;  // 0, 1, 2, 3 and 4, 6, 8, 12
  int origin;          // 1.5 * 2^23 as f32
  // ptxas copies a constant for each PRMT; it does not know that no lane is below itself.
  __device__ __forceinline__ Decoder() {
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    low = 0x03020100 | below >> 31;
    high = 0x0c080604 | below >> 31;
    origin = 0x4b400000 | below >> 31;
  }

  __device__ __forceinline__ unsigned magnitudes(unsigned selectors) const {
    unsigned bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selectors));
    return bytes;
  }

  __device__ __forceinline__ unsigned signed_bytes(unsigned nibbles) const {
    return __vsub4(magnitudes(nibbles), magnitudes(nibbles ^ SIGNS));
  }

  __device__ __forceinline__ Block block(uint2 packed) const {
    return {{signed_bytes(packed.x), signed_bytes(packed.x >> 16), signed_bytes(packed.y),
             signed_bytes(packed.y >> 16)}};
  }

  // Adds eight products.
  __device__ __forceinline__ int dot(unsigned word, unsigned low_b, unsigned high_b, int sum) const {
    sum = __dp4a(int(magnitudes(word)), int(low_b), sum);
    return __dp4a(int(magnitudes(word >> 16)), int(high_b), sum);
  }

  // The sums start where an integer that is added to the bits of an f32 is added to its value, so
  // that the difference is exact.
  __device__ __forceinline__ float dot(unsigned first, unsigned second, const Block &b) const {
    int positive = dot(first, b.bytes.x, b.bytes.y, origin);
    int negative = dot(first ^ SIGNS, b.bytes.x, b.bytes.y, origin);
    positive = dot(second, b.bytes.z, b.bytes.w, positive);
    negative = dot(second ^ SIGNS, b.bytes.z, b.bytes.w, negative);
    return __int_as_float(positive) - __int_as_float(negative);
  }
};
#endif

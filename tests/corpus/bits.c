/* Bits: shifts, rotates, counts, fields, permutations of bits and bytes. */
#include "corpus.h"

CASE(shifts, u32, u32, 2, 3) {
    u32 s = in[1] & 31u;
    out[0] = in[0] << s;
    out[1] = in[0] >> s;
    out[2] = (u32)((i32)in[0] >> s);
}

CASE(rotates, u32, u32, 2, 3) {
    u32 s = in[1] & 31u;
    out[0] = in[0] << s | in[0] >> (-s & 31u);
    out[1] = in[0] >> s | in[0] << (-s & 31u);
    out[2] = in[0] << 7 | in[0] >> 25;
}

CASE(funnel_shift, u32, u32, 3, 1) {
    u64 both = (u64)in[0] << 32 | in[1];
    out[0] = (u32)(both >> (in[2] & 31u));
}

CASE(logic_three, u32, u32, 3, 4) {
    u32 a = in[0], b = in[1], c = in[2];
    out[0] = (a & b) | (~a & c);
    out[1] = (a & b) | (a & c) | (b & c);
    out[2] = a ^ b ^ c;
    out[3] = (a | b) & ~c;
}

CASE(popcount, u32, u32, 1, 2) {
    u32 x = in[0], n = 0;
    out[0] = (u32)POPCOUNT(x);
    while (x) { x &= x - 1u; n++; }
    out[1] = n;
}

CASE(popcount_swar, u32, u32, 1, 1) {
    u32 x = in[0];
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    out[0] = x * 0x01010101u >> 24;
}

CASE(leading_trailing, u32, i32, 1, 2) {
    out[0] = in[0] ? CLZ(in[0]) : 32;
    out[1] = in[0] ? CTZ(in[0]) : 32;
}

CASE(leading_zeros_loop, u32, i32, 1, 1) {
    u32 x = in[0];
    i32 n = 0;
    while (n < 32 && !(x & 0x80000000u)) { x <<= 1; n++; }
    out[0] = n;
}

CASE(parity, u32, u32, 1, 1) {
    u32 x = in[0];
    x ^= x >> 16; x ^= x >> 8; x ^= x >> 4;
    out[0] = 0x6996u >> (x & 15u) & 1u;
}

CASE(reverse_bits, u32, u32, 1, 1) {
    u32 x = in[0];
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    out[0] = x >> 16 | x << 16;
}

CASE(swap_bytes, u32, u32, 1, 2) {
    u32 x = in[0];
    out[0] = x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
    out[1] = (x >> 8 & 0x00ff00ffu) | (x << 8 & 0xff00ff00u);
}

CASE(extract_field, u32, u32, 3, 2) {
    u32 offset = in[1] & 15u, width = (in[2] & 15u) + 1u;
    u32 field = in[0] >> offset & ((1u << width) - 1u);
    u32 top = 1u << (width - 1u);
    out[0] = field;
    out[1] = (field ^ top) - top;
}

CASE(insert_field, u32, u32, 4, 1) {
    u32 offset = in[2] & 15u, mask = ((1u << ((in[3] & 15u) + 1u)) - 1u) << offset;
    out[0] = (in[0] & ~mask) | (in[1] << offset & mask);
}

CASE(sign_extensions, u32, i32, 1, 4) {
    out[0] = (i8)in[0];
    out[1] = (i16)in[0];
    out[2] = (i32)(in[0] << 20) >> 20;
    out[3] = (i32)(in[0] << 1) >> 1;
}

CASE(isolate_lowest, u32, u32, 1, 3) {
    out[0] = in[0] & (0u - in[0]);
    out[1] = in[0] & (in[0] - 1u);
    out[2] = in[0] | (in[0] - 1u);
}

CASE(next_power_of_two, u32, u32, 1, 1) {
    u32 x = (in[0] & 0x7fffffffu) - 1u;
    x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16;
    out[0] = x + 1u;
}

CASE(gray_code, u32, u32, 1, 2) {
    u32 g = in[0] ^ in[0] >> 1, b = in[0];
    b ^= b >> 16; b ^= b >> 8; b ^= b >> 4; b ^= b >> 2; b ^= b >> 1;
    out[0] = g;
    out[1] = b;
}

CASE(morton, u32, u32, 2, 1) {
    u32 x = in[0] & 0xffffu, y = in[1] & 0xffffu;
    x = (x | x << 8) & 0x00ff00ffu; x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u; x = (x | x << 1) & 0x55555555u;
    y = (y | y << 8) & 0x00ff00ffu; y = (y | y << 4) & 0x0f0f0f0fu;
    y = (y | y << 2) & 0x33333333u; y = (y | y << 1) & 0x55555555u;
    out[0] = x | y << 1;
}

CASE(deposit_bits, u32, u32, 2, 1) {
    u32 value = in[0], mask = in[1], result = 0;
    for (u32 bit = 1; mask; bit += bit) {
        if (value & bit) result |= mask & (0u - mask);
        mask &= mask - 1u;
    }
    out[0] = result;
}

CASE(extract_bits, u32, u32, 2, 1) {
    u32 mask = in[1], result = 0;
    for (u32 bit = 1; mask; bit += bit) {
        if (in[0] & mask & (0u - mask)) result |= bit;
        mask &= mask - 1u;
    }
    out[0] = result;
}

CASE(byte_permute, u32, u32, 3, 1) {
    u64 both = (u64)in[1] << 32 | in[0];
    u32 r = 0;
    for (i32 b = 0; b < 4; b++) r |= (u32)(both >> 8 * (in[2] >> 4 * b & 7u) & 255u) << 8 * b;
    out[0] = r;
}

CASE(transpose_8x8_bits, u64, u64, 1, 1) {
    u64 x = in[0], t;
    t = (x ^ x >> 7) & 0x00aa00aa00aa00aaull; x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccull; x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0ull; x ^= t ^ t << 28;
    out[0] = x;
}

CASE(crossing_fields, u32, u32, 2, 2) {
    u64 stream = (u64)in[1] << 32 | in[0];
    out[0] = (u32)(stream >> 27 & 0x3ff);
    out[1] = (u32)(stream >> 6 & 63) | (u32)(stream >> 30 & 63) << 8 | (u32)(stream >> 58) << 16;
}

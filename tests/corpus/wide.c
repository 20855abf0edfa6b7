/* 64-bit integers, and wider ones built of them. */
#include "corpus.h"

CASE(wide_add_sub, u64, u64, 3, 2) { out[0] = in[0] + in[1]; out[1] = in[0] - in[2]; }

CASE(wide_multiply, u64, u64, 2, 1) { out[0] = in[0] * in[1]; }

CASE(wide_multiply_high, u64, u64, 2, 1) {
    u64 a = in[0], b = in[1], al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
    u64 mid = ah * bl + (al * bl >> 32), mid2 = al * bh + (u32)mid;
    out[0] = ah * bh + (mid >> 32) + (mid2 >> 32);
}

CASE(wide_divide_unsigned, u64, u64, 2, 2) {
    u64 d = in[1] ? in[1] : 3u;
    out[0] = in[0] / d;
    out[1] = in[0] % d;
}

CASE(wide_divide_signed, i64, i64, 2, 2) {
    i64 d = in[1] == 0 || in[1] == -1 ? 11 : in[1];
    out[0] = in[0] / d;
    out[1] = in[0] % d;
}

CASE(wide_divide_small, u64, u64, 2, 2) {
    u64 d = (u32)in[1] ? (u32)in[1] : 9u;
    out[0] = in[0] / d;
    out[1] = in[0] % d;
}

CASE(wide_divide_constants, u64, u64, 1, 3) {
    out[0] = in[0] / 10u;
    out[1] = in[0] % 1000000007u;
    out[2] = (u64)((i64)in[0] / 37);
}

CASE(wide_shifts, u64, u64, 2, 3) {
    u32 s = (u32)in[1] & 63u;
    out[0] = in[0] << s;
    out[1] = in[0] >> s;
    out[2] = (u64)((i64)in[0] >> s);
}

CASE(wide_shift_constants, u64, u64, 1, 4) {
    out[0] = in[0] << 33; out[1] = in[0] >> 31; out[2] = (u64)((i64)in[0] >> 40);
    out[3] = in[0] << 1 | in[0] >> 63;
}

CASE(wide_rotate, u64, u64, 2, 1) {
    u32 s = (u32)in[1] & 63u;
    out[0] = in[0] << s | in[0] >> (-s & 63u);
}

CASE(wide_compare, i64, u32, 2, 1) {
    u64 a = (u64)in[0], b = (u64)in[1];
    out[0] = (u32)(in[0] < in[1]) | (u32)(in[0] <= in[1]) << 1 | (u32)(in[0] == in[1]) << 2
             | (u32)(a < b) << 3 | (u32)(a >= b) << 4;
}

CASE(wide_minmax, i64, i64, 2, 2) {
    out[0] = in[0] < in[1] ? in[0] : in[1];
    out[1] = (u64)in[0] > (u64)in[1] ? in[0] : in[1];
}

CASE(wide_logic, u64, u64, 3, 3) {
    out[0] = (in[0] & in[1]) ^ in[2];
    out[1] = ~in[0] | in[1];
    out[2] = in[0] & ~in[2];
}

CASE(wide_counts, u64, i32, 1, 3) {
    u32 high = (u32)(in[0] >> 32), low = (u32)in[0];
    out[0] = POPCOUNT64(in[0]);
    out[1] = high ? CLZ(high) : low ? 32 + CLZ(low) : 64;
    out[2] = low ? CTZ(low) : high ? 32 + CTZ(high) : 64;
}

CASE(wide_mad_mixed, u32, u64, 3, 2) {
    out[0] = (u64)in[0] * in[1] + in[2];
    out[1] = (u64)((i64)(i32)in[0] * (i32)in[1] - (i32)in[2]);
}

CASE(wide_carry_chain, u32, u32, 8, 4) {
    u64 carry = 0;
    for (i32 k = 0; k < 4; k++) {
        carry += (u64)in[k] + in[4 + k];
        out[k] = (u32)carry;
        carry >>= 32;
    }
}

CASE(wide_borrow_chain, u32, u32, 8, 5) {
    u32 borrow = 0;
    for (i32 k = 0; k < 4; k++) {
        u64 d = (u64)in[k] - in[4 + k] - borrow;
        out[k] = (u32)d;
        borrow = (u32)(d >> 63);
    }
    out[4] = borrow;
}

CASE(wide_product_256, u32, u32, 8, 8) {
    u32 r[8];
    for (i32 k = 0; k < 8; k++) r[k] = 0;
    for (i32 a = 0; a < 4; a++) {
        u64 carry = 0;
        for (i32 b = 0; b < 4; b++) {
            carry += (u64)in[a] * in[4 + b] + r[a + b];
            r[a + b] = (u32)carry;
            carry >>= 32;
        }
        r[a + 4] = (u32)carry;
    }
    for (i32 k = 0; k < 8; k++) out[k] = r[k];
}

CASE(modular_power, u32, u32, 3, 1) {
    u64 m = (u64)in[2] | 1u, base = in[0] % m, r = 1u % m;
    for (u32 e = in[1] & 0xffffu; e; e >>= 1) {
        if (e & 1u) r = r * base % m;
        base = base * base % m;
    }
    out[0] = (u32)r;
}

CASE(greatest_common_divisor, u64, u64, 2, 1) {
    u64 a = in[0], b = in[1];
    while (b) { u64 t = a % b; a = b; b = t; }
    out[0] = a;
}

CASE(integer_square_root, u64, u32, 1, 1) {
    u64 x = in[0], r = 0;
    for (u64 bit = 1ull << 62; bit; bit >>= 2) {
        if (x >= r + bit) { x -= r + bit; r = (r >> 1) + bit; } else r >>= 1;
    }
    out[0] = (u32)r;
}

CASE(wide_polynomial_hash, u64, u64, 4, 1) {
    u64 h = 0xcbf29ce484222325ull;
    for (i32 k = 0; k < 4; k++) h = (h ^ in[k]) * 0x100000001b3ull;
    out[0] = h;
}

/* 32-bit integers: arithmetic, division, comparison, selection. */
#include "corpus.h"

CASE(add_sub_mul, u32, u32, 3, 1) { out[0] = (in[0] + in[1]) * in[2] - (in[0] ^ in[1]); }

CASE(negate_not, u32, u32, 2, 2) { out[0] = 0u - in[0]; out[1] = ~in[1] + item; }

CASE(divide_unsigned, u32, u32, 2, 2) {
    u32 d = in[1] ? in[1] : 1u;
    out[0] = in[0] / d;
    out[1] = in[0] % d;
}

CASE(divide_signed, i32, i32, 2, 2) {
    i32 d = in[1] == 0 || in[1] == -1 ? 7 : in[1];
    out[0] = in[0] / d;
    out[1] = in[0] % d;
}

CASE(divide_by_constants, u32, u32, 1, 6) {
    u32 x = in[0];
    out[0] = x / 3; out[1] = x / 7; out[2] = x % 10; out[3] = x / 641; out[4] = x % 65537;
    out[5] = (u32)((i32)x / 12);
}

CASE(divide_floor, i32, i32, 2, 2) {
    i32 d = in[1] == 0 || in[1] == -1 ? 5 : in[1];
    i32 q = in[0] / d, r = in[0] % d;
    if (r != 0 && (r < 0) != (d < 0)) { q -= 1; r += d; }
    out[0] = q;
    out[1] = r;
}

CASE(multiply_high, u32, u32, 2, 2) {
    out[0] = (u32)(((u64)in[0] * in[1]) >> 32);
    out[1] = (u32)(((i64)(i32)in[0] * (i32)in[1]) >> 32);
}

CASE(multiply_24, u32, u32, 2, 1) { out[0] = (in[0] & 0xffffffu) * (in[1] & 0xffffffu) + 9u; }

CASE(minmax_signed, i32, i32, 3, 3) {
    i32 a = in[0], b = in[1], c = in[2];
    i32 low = a < b ? a : b, high = a < b ? b : a;
    out[0] = low < c ? low : c;
    out[1] = high > c ? high : c;
    out[2] = high < c ? high : (low > c ? low : c);
}

CASE(minmax_unsigned, u32, u32, 3, 2) {
    u32 a = in[0] < in[1] ? in[0] : in[1];
    out[0] = a < in[2] ? a : in[2];
    out[1] = in[0] > in[2] ? in[0] : in[2];
}

CASE(clamp, i32, i32, 1, 2) {
    i32 x = in[0];
    out[0] = x < -128 ? -128 : x > 127 ? 127 : x;
    out[1] = x < 0 ? 0 : x > 255 ? 255 : x;
}

CASE(absolute, i32, u32, 1, 2) {
    u32 x = (u32)in[0];
    out[0] = in[0] < 0 ? 0u - x : x;
    out[1] = (x ^ (u32)(in[0] >> 31)) - (u32)(in[0] >> 31);
}

CASE(absolute_difference, i32, u32, 2, 2) {
    out[0] = in[0] > in[1] ? (u32)in[0] - (u32)in[1] : (u32)in[1] - (u32)in[0];
    u32 a = (u32)in[0], b = (u32)in[1];
    out[1] = a > b ? a - b : b - a;
}

CASE(sign, i32, i32, 1, 1) { out[0] = (in[0] > 0) - (in[0] < 0); }

CASE(compare_all, i32, u32, 2, 1) {
    u32 r = 0, a = (u32)in[0], b = (u32)in[1];
    r |= (u32)(in[0] < in[1]) | (u32)(in[0] <= in[1]) << 1 | (u32)(in[0] == in[1]) << 2;
    r |= (u32)(a < b) << 3 | (u32)(a >= b) << 4 | (u32)(a != b) << 5;
    out[0] = r;
}

CASE(saturating_add, u32, u32, 2, 2) {
    u32 s = in[0] + in[1];
    out[0] = s < in[0] ? 0xffffffffu : s;
    out[1] = in[0] < in[1] ? 0u : in[0] - in[1];
}

CASE(saturating_add_signed, i32, i32, 2, 1) {
    i64 s = (i64)in[0] + in[1];
    out[0] = s > 2147483647 ? 2147483647 : s < -2147483647 - 1 ? -2147483647 - 1 : (i32)s;
}

CASE(average, u32, u32, 2, 2) {
    out[0] = (in[0] & in[1]) + ((in[0] ^ in[1]) >> 1);
    out[1] = (in[0] | in[1]) - ((in[0] ^ in[1]) >> 1);
}

CASE(mad_chain, u32, u32, 4, 1) {
    out[0] = in[0] * in[1] + in[2] * in[3] + in[0] * 5u + (in[1] << 3) + in[2];
}

CASE(polynomial, u32, u32, 1, 1) {
    u32 x = in[0];
    out[0] = ((((3u * x + 5u) * x + 7u) * x + 11u) * x + 13u) * x + 17u;
}

CASE(odd_inverse, u32, u32, 1, 1) {
    u32 x = in[0] | 1u, y = x;
    y *= 2u - x * y; y *= 2u - x * y; y *= 2u - x * y; y *= 2u - x * y;
    out[0] = y * x == 1u ? y : 0u;
}

CASE(select_chain, i32, i32, 4, 1) {
    out[0] = in[0] > in[1] ? (in[2] > in[3] ? in[0] : in[1]) : (in[2] < 0 ? in[2] : in[3]);
}

CASE(logic_short_circuit, i32, i32, 3, 1) {
    i32 r = 0;
    if (in[0] && in[1] > 3) r += 1;
    if (in[0] || in[2] < 0) r += 2;
    if (!(in[0] == in[1]) && !(in[1] == in[2])) r += 4;
    out[0] = r;
}

CASE(packed_dot, u32, i32, 3, 2) {
    i32 s = (i32)in[2] >> 8;
    u32 t = in[2] & 0xffffu;
    for (i32 b = 0; b < 4; b++) {
        s += (i32)(i8)(in[0] >> 8 * b) * (i32)(i8)(in[1] >> 8 * b);
        t += (u32)(u8)(in[0] >> 8 * b) * (u32)(u8)(in[1] >> 8 * b);
    }
    out[0] = s;
    out[1] = (i32)t;
}

CASE(sum_of_absolute_bytes, u32, u32, 2, 1) {
    u32 s = 0;
    for (i32 b = 0; b < 4; b++) {
        i32 d = (i32)(u8)(in[0] >> 8 * b) - (i32)(u8)(in[1] >> 8 * b);
        s += (u32)(d < 0 ? -d : d);
    }
    out[0] = s;
}

CASE(triangle, i32, i32, 3, 1) {
    i32 a = in[0] & 1023, b = in[1] & 1023, c = in[2] & 1023;
    if (a + b <= c || a + c <= b || b + c <= a) out[0] = 0;
    else if (a == b && b == c) out[0] = 3;
    else if (a == b || b == c || a == c) out[0] = 2;
    else out[0] = 1;
}

CASE(leap_year, u32, u32, 1, 1) {
    u32 y = in[0] % 10000u;
    out[0] = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

CASE(civil_date, u32, i32, 1, 3) {
    i32 z = (i32)(in[0] % 3000000u) + 60, era = z / 146097, doe = z - era * 146097;
    i32 yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    i32 doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    out[2] = doy - (153 * mp + 2) / 5 + 1;
    out[1] = mp < 10 ? mp + 3 : mp - 9;
    out[0] = yoe + era * 400 + (out[1] <= 2);
}

/* Conversions between integers and floats; those to integers are kept in range. */
#include "corpus.h"

CASE(int_to_float, i32, f32, 1, 2) { out[0] = (f32)in[0]; out[1] = (f32)(u32)in[0]; }

CASE(int_to_double, i32, f64, 1, 2) { out[0] = (f64)in[0]; out[1] = (f64)(u32)in[0]; }

CASE(wide_to_float, i64, f32, 1, 2) { out[0] = (f32)in[0]; out[1] = (f32)(u64)in[0]; }

CASE(wide_to_double, i64, f64, 1, 2) { out[0] = (f64)in[0]; out[1] = (f64)(u64)in[0]; }

CASE(float_to_int, f32, i32, 1, 1) {
    out[0] = in[0] > -2147483648.0f && in[0] < 2147483648.0f ? (i32)in[0] : -7;
}

CASE(float_to_unsigned, f32, u32, 1, 1) {
    out[0] = in[0] > -1.0f && in[0] < 4294967296.0f ? (u32)in[0] : 7u;
}

CASE(float_to_wide, f32, i64, 1, 1) {
    out[0] = in[0] > -9e18f && in[0] < 9e18f ? (i64)in[0] : -9;
}

CASE(double_to_int, f64, i32, 1, 1) {
    out[0] = in[0] > -2147483649.0 && in[0] < 2147483648.0 ? (i32)in[0] : -5;
}

CASE(double_to_wide, f64, i64, 1, 2) {
    out[0] = in[0] > -9e18 && in[0] < 9e18 ? (i64)in[0] : -9;
    out[1] = in[0] > -1.0 && in[0] < 1.8e19 ? (i64)(u64)in[0] : -11;
}

CASE(double_to_float, f64, f32, 1, 1) { out[0] = (f32)in[0]; }

CASE(float_to_double, f32, f64, 1, 1) { out[0] = (f64)in[0]; }

CASE(bytes_to_float, u8, f32, 4, 4) { for (i32 k = 0; k < 4; k++) out[k] = (f32)in[k] * (1.0f / 255.0f); }

CASE(float_to_byte, tame, u8, 1, 1) {
    f32 x = in[0] * 255.0f + 0.5f;
    out[0] = (u8)(x < 0.0f ? 0.0f : x > 255.0f ? 255.0f : x);
}

CASE(short_to_float, i16, f32, 1, 1) { out[0] = (f32)in[0] / 32768.0f; }

/* bf16 and e4m3 by hand, round to nearest even: conversions as integer programs. */
CASE(float_to_bfloat, f32, u16, 1, 1) {
    u32 b = F32_BITS(in[0]);
    if ((b & 0x7fffffffu) > 0x7f800000u) { out[0] = 0x7fc0; return; }
    out[0] = (u16)((b + 0x7fffu + (b >> 16 & 1u)) >> 16);
}

CASE(half_bits_to_float, u16, f32, 1, 1) {
    u32 s = (u32)(in[0] >> 15) << 31, e = in[0] >> 10 & 31u, m = in[0] & 1023u;
    if (e == 0) {
        f32 x = (f32)m * 0x1p-24f;
        out[0] = s ? -x : x;
    } else if (e == 31u) out[0] = BITS_F32(s | 0x7f800000u | m << 13);
    else out[0] = BITS_F32(s | (e + 112u) << 23 | m << 13);
}

CASE(float_to_half_bits, f32, u16, 1, 1) {
    u32 b = F32_BITS(in[0]), s = b >> 16 & 0x8000u, a = b & 0x7fffffffu;
    if (a > 0x7f800000u) { out[0] = 0x7e00; return; }
    if (a >= 0x477ff000u) { out[0] = (u16)(s | 0x7c00u); return; }
    if (a < 0x38800000u) {
        u32 shift = 126u - (a >> 23), m = (a & 0x7fffffu) | 0x800000u;
        if (shift > 24u) { out[0] = (u16)s; return; }
        u32 q = m >> shift, rest = m & ((1u << shift) - 1u), half = 1u << (shift - 1u);
        out[0] = (u16)(s | (q + (u32)(rest > half || (rest == half && (q & 1u)))));
        return;
    }
    u32 r = a - 0x38000000u;
    out[0] = (u16)(s | (r + 0xfffu + (r >> 13 & 1u)) >> 13);
}

CASE(e4m3_bits_to_float, u8, f32, 1, 1) {
    u32 e = in[0] >> 3 & 15u, m = in[0] & 7u;
    f32 x = e ? BITS_F32((e + 120u) << 23 | m << 20) : (f32)m * 0x1p-9f;
    if ((in[0] & 127u) == 127u) x = BITS_F32(0x7fc00000u);
    out[0] = in[0] & 128u ? -x : x;
}

/* f32 by IEEE 754 without contraction. Any bit pattern goes in where the type says f32. */
#include "corpus.h"

CASE(float_add, f32, f32, 2, 2) { out[0] = in[0] + in[1]; out[1] = in[0] - in[1]; }

CASE(float_multiply, f32, f32, 2, 1) { out[0] = in[0] * in[1]; }

CASE(float_multiply_then_add, f32, f32, 3, 1) { out[0] = in[0] * in[1] + in[2]; }

CASE(float_fused, f32, f32, 3, 2) {
    out[0] = FMAF(in[0], in[1], in[2]);
    out[1] = FMAF(-in[0], in[1], in[2]);
}

CASE(float_divide, f32, f32, 2, 1) { out[0] = in[0] / in[1]; }

CASE(float_reciprocal, f32, f32, 1, 1) { out[0] = 1.0f / in[0]; }

CASE(float_square_root, f32, f32, 1, 1) { out[0] = SQRTF(in[0]); }

CASE(float_compare, f32, u32, 2, 1) {
    out[0] = (u32)(in[0] < in[1]) | (u32)(in[0] <= in[1]) << 1 | (u32)(in[0] > in[1]) << 2
             | (u32)(in[0] >= in[1]) << 3 | (u32)(in[0] == in[1]) << 4
             | (u32)(in[0] != in[1]) << 5 | (u32)!(in[0] < in[1]) << 6;
}

CASE(float_select, f32, f32, 3, 2) {
    out[0] = in[0] < in[1] ? in[1] : in[2];
    out[1] = in[0] == in[0] ? in[0] : in[1];
}

CASE(float_negate_absolute, f32, u32, 1, 2) {
    out[0] = F32_BITS(in[0]) ^ 0x80000000u;
    out[1] = F32_BITS(in[0]) & 0x7fffffffu;
}

CASE(float_modifiers, tame, f32, 3, 3) {
    f32 a = in[0] < 0.0f ? -in[0] : in[0], b = in[1] < 0.0f ? -in[1] : in[1];
    out[0] = -a * b;
    out[1] = a - b;
    out[2] = (-in[2]) / (a + 1.0f);
}

CASE(float_classify, f32, u32, 1, 1) {
    u32 b = F32_BITS(in[0]), e = b >> 23 & 255u, m = b & 0x7fffffu;
    out[0] = e == 255u ? (m ? 4u : 3u) : e == 0u ? (m ? 1u : 0u) : 2u;
}

CASE(float_rounding, f32, f32, 1, 4) {
    out[0] = FLOORF(in[0]); out[1] = CEILF(in[0]); out[2] = TRUNCF(in[0]); out[3] = RINTF(in[0]);
}

CASE(float_scale_by_powers, tame, f32, 1, 3) {
    out[0] = in[0] * 1048576.0f; out[1] = in[0] * 0x1p-100f; out[2] = in[0] * 0x1p-60f * 0x1p-80f;
}

CASE(float_horner, tame, f32, 1, 1) {
    f32 x = in[0];
    out[0] = (((0.25f * x - 1.5f) * x + 3.0f) * x - 0.125f) * x + 7.0f;
}

CASE(float_kahan_sum, tame, f32, 8, 1) {
    f32 sum = 0.0f, lost = 0.0f;
    for (i32 k = 0; k < 8; k++) {
        f32 y = in[k] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    out[0] = sum;
}

CASE(float_two_sum, tame, f32, 2, 2) {
    f32 s = in[0] + in[1], b = s - in[0];
    out[0] = s;
    out[1] = (in[0] - (s - b)) + (in[1] - b);
}

CASE(float_two_product, tame, f32, 2, 2) {
    f32 p = in[0] * in[1];
    out[0] = p;
    out[1] = FMAF(in[0], in[1], -p);
}

CASE(float_mean_variance, tame, f32, 6, 2) {
    f32 mean = 0.0f, m2 = 0.0f;
    for (i32 k = 0; k < 6; k++) {
        f32 d = in[k] - mean;
        mean += d / (f32)(k + 1);
        m2 += d * (in[k] - mean);
    }
    out[0] = mean;
    out[1] = m2 / 5.0f;
}

CASE(float_normalise, tame, f32, 3, 3) {
    f32 n = SQRTF(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]);
    if (n == 0.0f) n = 1.0f;
    for (i32 k = 0; k < 3; k++) out[k] = in[k] / n;
}

CASE(float_newton_root, tame, f32, 1, 1) {
    f32 a = in[0] < 0.0f ? -in[0] : in[0], x = a > 1.0f ? a : 1.0f;
    for (i32 k = 0; k < 12; k++) x = 0.5f * (x + a / x);
    out[0] = x;
}

CASE(float_mandelbrot, tame, u32, 2, 1) {
    f32 cx = in[0], cy = in[1], x = 0.0f, y = 0.0f;
    u32 n = 0;
    while (n < 40 && x * x + y * y < 4.0f) {
        f32 t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        n++;
    }
    out[0] = n;
}

CASE(float_minmax, tame, f32, 3, 2) {
    f32 a = in[0] < in[1] ? in[0] : in[1], b = in[0] > in[1] ? in[0] : in[1];
    out[0] = a < in[2] ? a : in[2];
    out[1] = b > in[2] ? b : in[2];
}

CASE(float_lerp, tame, f32, 3, 1) { out[0] = in[0] + (in[1] - in[0]) * in[2]; }

CASE(float_complex_multiply, tame, f32, 4, 2) {
    out[0] = in[0] * in[2] - in[1] * in[3];
    out[1] = in[0] * in[3] + in[1] * in[2];
}

CASE(float_quadratic, tame, f32, 3, 2) {
    f32 d = in[1] * in[1] - 4.0f * in[0] * in[2];
    if (d < 0.0f || in[0] == 0.0f) { out[0] = -1.0f; out[1] = d; return; }
    f32 r = SQRTF(d);
    out[0] = (-in[1] - r) / (2.0f * in[0]);
    out[1] = (-in[1] + r) / (2.0f * in[0]);
}

CASE(float_exponent_and_mantissa, f32, i32, 1, 2) {
    u32 b = F32_BITS(in[0]);
    out[0] = (i32)(b >> 23 & 255u) - 127;
    out[1] = (i32)((b & 0x7fffffu) | 0x800000u);
}

CASE(float_sortable_bits, f32, u32, 1, 1) {
    u32 b = F32_BITS(in[0]);
    out[0] = b ^ ((u32)((i32)b >> 31) | 0x80000000u);
}

CASE(float_fast_inverse_root, tame, f32, 1, 1) {
    f32 x = in[0] < 0.0f ? -in[0] : in[0];
    if (x == 0.0f) x = 1.0f;
    f32 y = BITS_F32(0x5f3759dfu - (F32_BITS(x) >> 1));
    y = y * (1.5f - 0.5f * x * y * y);
    out[0] = y * (1.5f - 0.5f * x * y * y);
}

CASE(float_remainder, tame, f32, 2, 1) {
    f32 d = in[1] < 0.0f ? -in[1] : in[1];
    if (d < 1.0f) d = 1.0f;
    out[0] = in[0] - d * FLOORF(in[0] / d);
}

CASE(float_euler_steps, tame, f32, 2, 2) {
    f32 x = in[0], v = in[1];
    for (i32 k = 0; k < 20; k++) { v -= 0.0625f * x; x += 0.0625f * v; }
    out[0] = x;
    out[1] = v;
}

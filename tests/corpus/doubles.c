/* f64 by IEEE 754 without contraction. */
#include "corpus.h"

CASE(double_add, f64, f64, 2, 2) { out[0] = in[0] + in[1]; out[1] = in[0] - in[1]; }

CASE(double_multiply, f64, f64, 2, 1) { out[0] = in[0] * in[1]; }

CASE(double_fused, f64, f64, 3, 1) { out[0] = FMA(in[0], in[1], in[2]); }

CASE(double_divide, f64, f64, 2, 1) { out[0] = in[0] / in[1]; }

CASE(double_square_root, f64, f64, 1, 1) { out[0] = SQRT(in[0]); }

CASE(double_compare, f64, u32, 2, 1) {
    out[0] = (u32)(in[0] < in[1]) | (u32)(in[0] <= in[1]) << 1 | (u32)(in[0] == in[1]) << 2
             | (u32)(in[0] != in[1]) << 3 | (u32)!(in[0] >= in[1]) << 4;
}

CASE(double_rounding, f64, f64, 1, 4) {
    out[0] = FLOOR(in[0]); out[1] = CEIL(in[0]); out[2] = TRUNC(in[0]); out[3] = RINT(in[0]);
}

CASE(double_horner, dtame, f64, 1, 1) {
    f64 x = in[0];
    out[0] = ((0.1 * x - 2.5) * x + 0.3) * x - 1e-3;
}

CASE(double_newton_root, dtame, f64, 1, 1) {
    f64 a = in[0] < 0.0 ? -in[0] : in[0], x = a > 1.0 ? a : 1.0;
    for (i32 k = 0; k < 16; k++) x = 0.5 * (x + a / x);
    out[0] = x;
}

CASE(double_series, dtame, f64, 1, 1) {
    f64 x = in[0] - (f64)(i64)in[0], term = 1.0, sum = 1.0;
    for (i32 k = 1; k < 18; k++) { term = term * x / (f64)k; sum += term; }
    out[0] = sum;
}

CASE(double_bits, f64, u64, 1, 2) {
    out[0] = F64_BITS(in[0]) ^ 0x8000000000000000ull;
    out[1] = F64_BITS(in[0]) >> 52 & 0x7ff;
}

CASE(double_dot, dtame, f64, 8, 1) {
    f64 s = 0.0;
    for (i32 k = 0; k < 4; k++) s += in[k] * in[4 + k];
    out[0] = s;
}

CASE(double_hypotenuse, dtame, f64, 2, 1) { out[0] = SQRT(in[0] * in[0] + in[1] * in[1]); }

CASE(double_select, f64, f64, 3, 1) { out[0] = in[0] > in[1] ? in[2] : in[0] < in[1] ? in[1] : in[0]; }

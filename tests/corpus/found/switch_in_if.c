// Found by the random generator: clang 22 at -O2 leaves x unset where ((i32)c >> d & 3) is 3.
#include "corpus.h"
BODY u32 bits(f32 x) { return x == x ? F32_BITS(x) : 0x7fc00000u; }
CASE(random_case, u32, u32, 4, 10) {
    u32 a = in[0], b = in[1], c = in[2], d = in[3];
    u64 w = (u64)a << 32 | b, x = (u64)c * d;
    f32 f = (f32)(i32)a, g = (f32)(b & 0xffffu) * 0.125f;
    a = c;
    if ((u32)((i32)0x0u / (i32)((d & 0x7ffu) + 1u)) <= (u32)(w >> (a & 63u))) {
        for (u32 loop1 = 0, nloop1 = ((c - b) & 7u); loop1 < nloop1; loop1++) {
            d = ((u32)(((u64)d * (u32)item) >> ((u32)(i8)d & 63u)) | ((u32)(f < d) - (u32)(i16)d));
        }
        for (u32 loop2 = 0, nloop2 = ((d & d) & 7u); loop2 < nloop2; loop2++) {
            w = (((u64)c << ((u32)item & 63u)) + (x | w));
        }
        switch ((u32)((i32)c >> (d & 31u)) & 3u) {
        case 0: {
            b = ((((i32)d == (i32)(u32)item ? d : d) + (u32)((u64)c >> (d & 63u))) < ((a * d) == (a < d ? a : d) ? (a == c ? c : b) : (u32)POPCOUNT((u32)item)) ? (u32)(g == (c | b)) : ((u32)((i32)b / (i32)((a & 0x7ffu) + 1u)) != (u32)(f >= 0x7f8u) ? (b << (b & 31u)) : (u32)((i32)a % (i32)((c & 0x7ffu) + 1u))));
            a = (u32)(i8)(u32)(u8)a;
            x = ((w >> (d & 63u)) + (w << (0x2bae75e2u & 63u)));
            w = ((u64)(u32)(f >= c) * d);
        } break;
        case 2: {
            a = ((((u32)item % (b | 1u)) != a ? ((i32)0xffffffffu == (i32)c ? a : a) : (u32)POPCOUNT(d)) - (u32)(u16)(b << ((u32)item & 31u)));
            w = ((x & (u64)a) | ((u64)0x80000000u * (u32)item));
            f = ((f < g ? f : f) + (-3.0f / g));
            b = (a << (((u32)POPCOUNT(a) ^ (0xffffu ^ c)) & 31u));
        } break;
        default: {
            b = (a ^ c);
            b = a;
            w = (((u64)c * (u32)item) + ((u64)b * b));
            w = (((u64)d * d) + (w | x));
        } break;
        }
    }
    g = (SQRTF(f) + (g * f));
    x = ((u64)(u32)((i32)0x146c4u >> (d & 31u)) * d);
    out[0] = a; out[1] = b; out[2] = c; out[3] = d;
    out[4] = (u32)w; out[5] = (u32)(w >> 32); out[6] = (u32)x;
    out[7] = (u32)(x >> 32); out[8] = bits(f); out[9] = bits(g);
}

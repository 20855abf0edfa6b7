/* 8 and 16-bit integers in memory and in registers. */
#include "corpus.h"

CASE(byte_arithmetic, u8, u8, 3, 3) {
    out[0] = (u8)(in[0] + in[1]);
    out[1] = (u8)(in[0] * in[1] + in[2]);
    out[2] = (u8)(in[0] - in[2]);
}

CASE(byte_signed, i8, i8, 3, 3) {
    out[0] = (i8)(in[0] / (in[1] == 0 || in[1] == -1 ? 3 : in[1]));
    out[1] = (i8)(in[0] < in[1] ? in[2] : in[0]);
    out[2] = (i8)(in[0] >> (in[1] & 7));
}

CASE(byte_saturate, u8, u8, 2, 2) {
    i32 s = in[0] + in[1], d = in[0] - in[1];
    out[0] = (u8)(s > 255 ? 255 : s);
    out[1] = (u8)(d < 0 ? 0 : d);
}

CASE(byte_blend, u8, u8, 3, 1) {
    u32 t = in[0] * in[2] + in[1] * (255u - in[2]) + 128u;
    out[0] = (u8)((t + (t >> 8)) >> 8);
}

CASE(half_word_arithmetic, u16, u16, 3, 3) {
    out[0] = (u16)(in[0] + in[1] * in[2]);
    out[1] = (u16)(in[0] >> (in[1] & 15));
    out[2] = (u16)(in[0] << (in[2] & 15));
}

CASE(half_word_signed, i16, i16, 3, 4) {
    out[0] = (i16)(in[0] < in[1] ? in[0] : in[1]);
    out[1] = (i16)(in[0] > in[2] ? in[0] : in[2]);
    out[2] = (i16)(in[0] / (in[1] == 0 || in[1] == -1 ? 9 : in[1]));
    out[3] = (i16)(in[0] >> (in[2] & 15));
}

CASE(half_word_multiply_high, i16, i16, 2, 2) {
    out[0] = (i16)((in[0] * in[1]) >> 16);
    out[1] = (i16)((in[0] * in[1] + 0x4000) >> 15);
}

CASE(half_word_divide, u16, u16, 2, 2) {
    u16 d = in[1] ? in[1] : (u16)5;
    out[0] = (u16)(in[0] / d);
    out[1] = (u16)(in[0] % d);
}

CASE(pixel_565, u8, u16, 3, 1) {
    out[0] = (u16)((in[0] >> 3) << 11 | (in[1] >> 2) << 5 | in[2] >> 3);
}

CASE(pixel_unpack_565, u16, u8, 1, 3) {
    u32 r = in[0] >> 11, g = in[0] >> 5 & 63u, b = in[0] & 31u;
    out[0] = (u8)(r << 3 | r >> 2);
    out[1] = (u8)(g << 2 | g >> 4);
    out[2] = (u8)(b << 3 | b >> 2);
}

CASE(luminance, u8, u8, 3, 3) {
    out[0] = (u8)((66 * in[0] + 129 * in[1] + 25 * in[2] + 128) / 256 + 16);
    out[1] = (u8)((112 * in[2] - 74 * in[1] - 38 * in[0] + 128) / 256 + 128);
    out[2] = (u8)((112 * in[0] - 94 * in[1] - 18 * in[2] + 128) / 256 + 128);
}

CASE(mixed_widths, i16, i64, 2, 2) {
    out[0] = (i64)in[0] * in[1] + (u16)in[0];
    out[1] = (i64)(i8)in[0] << 32 | (u16)in[1];
}

CASE(pack_bytes, u8, u32, 4, 1) {
    out[0] = in[0] | (u32)in[1] << 8 | (u32)in[2] << 16 | (u32)in[3] << 24;
}

CASE(unpack_nibbles, u8, i8, 2, 4) {
    out[0] = (i8)(in[0] & 15); out[1] = (i8)(in[0] >> 4);
    out[2] = (i8)((i8)(in[1] << 4) >> 4); out[3] = (i8)((i8)in[1] >> 4);
}

CASE(byte_histogram_of_eight, u8, u8, 8, 4) {
    u8 bins[4];
    for (i32 k = 0; k < 4; k++) bins[k] = 0;
    for (i32 k = 0; k < 8; k++) bins[in[k] >> 6]++;
    for (i32 k = 0; k < 4; k++) out[k] = bins[k];
}

CASE(half_word_running_max, i16, i16, 8, 8) {
    i16 peak = in[0];
    for (i32 k = 0; k < 8; k++) {
        if (in[k] > peak) peak = in[k];
        out[k] = peak;
    }
}

/* Calls that are not inlined, small structs by value and by pointer. */
#include "corpus.h"

typedef struct { i32 x, y; } Point;
typedef struct { u8 kind; u16 length; u32 id; u64 stamp; } Record;
typedef struct { f32 m[4]; } Matrix2;
typedef union { u32 word; u8 bytes[4]; u16 halves[2]; } Word;

HELPER u32 mix(u32 a, u32 b) { return (a ^ b << 5) * 2654435761u + (b >> 3); }

HELPER u32 mix_many(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f) {
    return mix(a, b) + mix(c, d) * 3u + mix(e, f);
}

HELPER i64 wide_step(i64 x, i32 by) { return x * 3 + by; }

HELPER f32 smooth(f32 a, f32 b) { return a * 0.75f + b * 0.25f; }

HELPER void split(u32 x, u32 *high, u32 *low) { *high = x >> 16; *low = x & 0xffffu; }

HELPER Point rotate(Point p) { Point r; r.x = -p.y; r.y = p.x; return r; }

HELPER u32 digest(const Record *r) {
    return (u32)r->kind * 3u + r->length + (r->id ^ (u32)(r->stamp >> 20));
}

HELPER Matrix2 product(Matrix2 a, Matrix2 b) {
    Matrix2 r;
    for (i32 i = 0; i < 2; i++)
        for (i32 j = 0; j < 2; j++)
            r.m[i * 2 + j] = a.m[i * 2] * b.m[j] + a.m[i * 2 + 1] * b.m[2 + j];
    return r;
}

CASE(call_one, u32, u32, 2, 1) { out[0] = mix(in[0], in[1]); }

CASE(call_nested, u32, u32, 6, 1) {
    out[0] = mix_many(in[0], in[1], in[2], in[3], in[4], in[5]);
}

CASE(call_in_loop, u32, u32, 2, 1) {
    u32 s = in[0];
    for (u32 k = 0; k < (in[1] & 15u); k++) s = mix(s, k);
    out[0] = s;
}

CASE(call_under_divergence, u32, u32, 2, 1) {
    u32 s = in[1];
    if (in[0] & 1u) s = mix(s, 5u);
    else if (in[0] & 2u) s = mix_many(s, 1u, 2u, 3u, 4u, 5u);
    out[0] = s;
}

CASE(call_wide, i32, i64, 2, 1) {
    i64 x = in[0];
    for (i32 k = 0; k < 8; k++) x = wide_step(x, in[1]);
    out[0] = x;
}

CASE(call_float, tame, f32, 4, 1) {
    out[0] = smooth(smooth(in[0], in[1]), smooth(in[2], in[3]));
}

CASE(call_by_pointer, u32, u32, 1, 2) {
    u32 high, low;
    split(in[0], &high, &low);
    out[0] = high * 3u + low;
    split(low * high, &high, &low);
    out[1] = high - low;
}

CASE(struct_by_value, i32, i32, 2, 2) {
    Point p;
    p.x = in[0] >> 1; p.y = in[1] >> 1;
    for (i32 k = 0; k < (in[0] & 3); k++) p = rotate(p);
    out[0] = p.x;
    out[1] = p.y;
}

CASE(struct_by_pointer, u32, u32, 4, 1) {
    Record r;
    r.kind = (u8)in[0]; r.length = (u16)in[1]; r.id = in[2]; r.stamp = (u64)in[3] << 17;
    out[0] = digest(&r);
}

CASE(struct_array, u32, u32, 6, 1) {
    Record r[3];
    u32 s = 0;
    for (i32 k = 0; k < 3; k++) {
        r[k].kind = (u8)(in[k] >> 3); r[k].length = (u16)in[k + 3];
        r[k].id = in[k] ^ in[k + 3]; r[k].stamp = (u64)in[k] * in[k + 3];
    }
    for (u32 k = 0; k < 6u; k++) s = s * 7u + digest(&r[(in[k] >> 5) % 3u]);
    out[0] = s;
}

CASE(struct_matrix, tame, f32, 8, 4) {
    Matrix2 a, b;
    for (i32 k = 0; k < 4; k++) { a.m[k] = in[k]; b.m[k] = in[4 + k]; }
    a = product(product(a, b), a);
    for (i32 k = 0; k < 4; k++) out[k] = a.m[k];
}

CASE(union_bytes, u32, u32, 2, 1) {
    Word w;
    w.word = in[0];
    w.bytes[in[1] & 3u] = (u8)(in[1] >> 8);
    u32 sum = (u32)w.bytes[0] + w.bytes[1] * 3u + w.bytes[2] * 5u + w.bytes[3] * 7u;
    out[0] = sum + w.halves[1] * (u32)w.halves[0];
}

CASE(bit_fields, u32, u32, 2, 2) {
    struct { u32 a : 5, b : 11, c : 16; } f;
    f.a = in[0]; f.b = in[0] >> 5; f.c = in[1];
    f.b += 3u;
    out[0] = (u32)f.a + f.b * 2u;
    out[1] = (u32)f.c ^ f.a;
}

CASE(local_array_by_index, u32, u32, 8, 2) {
    u32 a[8];
    for (i32 k = 0; k < 8; k++) { a[k] = in[k] >> 3; a[in[k] & (u32)k] ^= in[k]; }
    out[0] = a[in[0] >> 4 & 7u];
    out[1] = a[in[1] >> 9 & 7u] ^ a[in[2] & 7u];
}

CASE(pointer_walk, u32, u32, 8, 1) {
    const u32 *p = in, *end = in + 8;
    u32 s = 0;
    while (p < end) { s += *p; p += 1 + (*p & 1u); }
    out[0] = s;
}

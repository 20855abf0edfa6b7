/* Work groups of 64 elements: shared memory between barriers, and atomics whose result does not
 * depend on their order. */
#include "corpus.h"

GROUP(group_reverse, u32, u32, 1, 1) {
    SHARED(u32, tile, LANES);
    EACH(t) { tile[t] = in[t]; }
    EACH(t) { out[t] = tile[LANES - 1 - t] + (u32)item; }
}

GROUP(group_transpose, u32, u32, 1, 1) {
    SHARED(u32, tile, LANES);
    EACH(t) { tile[t] = in[t]; }
    EACH(t) { out[t] = tile[(t & 7) * 8 + (t >> 3)]; }
}

GROUP(group_transpose_padded, u16, u16, 4, 4) {
    SHARED(u16, tile, 16 * 17);
    EACH(t) { for (i32 k = 0; k < 4; k++) tile[(t >> 2) * 17 + (t & 3) * 4 + k] = in[t * 4 + k]; }
    EACH(t) { for (i32 k = 0; k < 4; k++) out[t * 4 + k] = tile[((t & 3) * 4 + k) * 17 + (t >> 2)]; }
}

GROUP(group_tree_sum, u32, u32, 1, 1) {
    SHARED(u32, s, LANES);
    EACH(t) { s[t] = in[t]; }
    for (i32 h = LANES / 2; h > 0; h /= 2) EACH(t) { if (t < h) s[t] += s[t + h]; }
    EACH(t) { out[t] = s[0] ^ (u32)t; }
}

GROUP(group_tree_max_float, tame, f32, 1, 1) {
    SHARED(f32, s, LANES);
    EACH(t) { s[t] = in[t]; }
    for (i32 h = LANES / 2; h > 0; h /= 2)
        EACH(t) { if (t < h && s[t] < s[t + h]) s[t] = s[t + h]; }
    EACH(t) { out[t] = in[t] - s[0]; }
}

GROUP(group_prefix_sum, u32, u32, 1, 1) {
    SHARED(u32, a, LANES);
    SHARED(u32, b, LANES);
    EACH(t) { a[t] = in[t]; }
    for (i32 h = 1; h < LANES; h *= 2) {
        EACH(t) { b[t] = t >= h ? a[t] + a[t - h] : a[t]; }
        EACH(t) { a[t] = b[t]; }
    }
    EACH(t) { out[t] = a[t]; }
}

GROUP(group_float_prefix, tame, f32, 1, 1) {
    SHARED(f32, a, LANES);
    SHARED(f32, b, LANES);
    EACH(t) { a[t] = in[t]; }
    for (i32 h = 1; h < LANES; h *= 2) {
        EACH(t) { b[t] = t >= h ? a[t] + a[t - h] : a[t]; }
        EACH(t) { a[t] = b[t]; }
    }
    EACH(t) { out[t] = a[t]; }
}

GROUP(group_bitonic_sort, u32, u32, 1, 1) {
    SHARED(u32, s, LANES);
    EACH(t) { s[t] = in[t]; }
    for (i32 size = 2; size <= LANES; size *= 2)
        for (i32 step = size / 2; step > 0; step /= 2)
            EACH(t) {
                i32 other = t ^ step;
                if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                    u32 x = s[t];
                    s[t] = s[other];
                    s[other] = x;
                }
            }
    EACH(t) { out[t] = s[t]; }
}

GROUP(group_matrix_8x8, small, i32, 2, 1) {
    SHARED(i32, a, LANES);
    SHARED(i32, b, LANES);
    EACH(t) { a[t] = in[t]; b[t] = in[LANES + t]; }
    EACH(t) {
        i32 s = 0;
        for (i32 k = 0; k < 8; k++) s += a[(t >> 3) * 8 + k] * b[k * 8 + (t & 7)];
        out[t] = s;
    }
}

GROUP(group_matrix_float_8x8, tame, f32, 2, 1) {
    SHARED(f32, a, LANES);
    SHARED(f32, b, LANES);
    EACH(t) { a[t] = in[t]; b[t] = in[LANES + t]; }
    EACH(t) {
        f32 s = 0.0f;
        for (i32 k = 0; k < 8; k++) s += a[(t >> 3) * 8 + k] * b[k * 8 + (t & 7)];
        out[t] = s;
    }
}

GROUP(group_stencil, i32, i32, 1, 1) {
    SHARED(i32, s, LANES + 2);
    EACH(t) { s[t + 1] = in[t] >> 3; if (t == 0) { s[0] = 5; s[LANES + 1] = -5; } }
    EACH(t) { out[t] = s[t] - 2 * s[t + 1] + s[t + 2]; }
}

GROUP(group_gather_by_data, u32, u32, 2, 1) {
    SHARED(u32, s, LANES);
    EACH(t) { s[t] = in[t]; }
    EACH(t) { out[t] = s[in[LANES + t] & 63u] * 3u + s[in[t] >> 26]; }
}

GROUP(group_bytes, u8, u8, 1, 1) {
    SHARED(u8, s, LANES);
    EACH(t) { s[(t * 5 + 3) & 63] = in[t]; }
    EACH(t) { out[t] = (u8)(s[t] + s[t ^ 1]); }
}

GROUP(group_wide, u64, u64, 1, 1) {
    SHARED(u64, s, LANES);
    EACH(t) { s[t] = in[t]; }
    EACH(t) { out[t] = s[t ^ 21] * 3u + (u64)t; }
}

GROUP(group_structs, u32, u32, 4, 4) {
    SHARED(u32, s, LANES * 5);
    EACH(t) { for (i32 k = 0; k < 4; k++) s[t * 5 + k] = in[t * 4 + k]; }
    EACH(t) { for (i32 k = 0; k < 4; k++) out[t * 4 + k] = s[(63 - t) * 5 + (3 - k)]; }
}

GROUP(group_compact, u32, u32, 1, 1) {
    SHARED(u32, flags, LANES);
    SHARED(u32, kept, LANES);
    EACH(t) { flags[t] = in[t] & 1u; kept[t] = 0; }
    EACH(t) {
        u32 before = 0;
        for (i32 k = 0; k < t; k++) before += flags[k];
        if (flags[t]) kept[before] = in[t];
    }
    EACH(t) { out[t] = kept[t]; }
}

GROUP(atomic_histogram, u32, u32, 1, 1) {
    SHARED(u32, bins, LANES);
    EACH(t) { bins[t] = 0; }
    EACH(t) { ATOMIC_ADD(&bins[in[t] >> 26], 1u); }
    EACH(t) { out[t] = bins[t]; }
}

GROUP(atomic_extremes, i32, i32, 1, 2) {
    SHARED(i32, low, 1);
    SHARED(i32, high, 1);
    EACH(t) { if (t == 0) { low[0] = 2147483647; high[0] = -2147483647; } }
    EACH(t) { ATOMIC_MIN(&low[0], in[t]); ATOMIC_MAX(&high[0], in[t]); }
    EACH(t) { out[2 * t] = low[0]; out[2 * t + 1] = high[0] == in[t]; }
}

GROUP(atomic_bits, u32, u32, 1, 3) {
    SHARED(u32, word, 3);
    EACH(t) { if (t < 3) word[t] = t == 1 ? 0xffffffffu : 0u; }
    EACH(t) {
        ATOMIC_OR(&word[0], 1u << (in[t] & 31u));
        ATOMIC_AND(&word[1], ~(1u << (in[t] >> 27)));
        ATOMIC_XOR(&word[2], in[t]);
    }
    EACH(t) { for (i32 k = 0; k < 3; k++) out[3 * t + k] = word[k]; }
}

GROUP(atomic_divergent_add, u32, u32, 1, 1) {
    SHARED(u32, sum, 2);
    EACH(t) { if (t < 2) sum[t] = 0; }
    EACH(t) {
        for (u32 k = 0; k < (in[t] & 3u); k++) ATOMIC_ADD(&sum[in[t] >> 31], k + 1u);
    }
    EACH(t) { out[t] = sum[t & 1]; }
}

GROUP(atomic_compare_and_swap, u32, u32, 1, 1) {
    SHARED(u32, slot, LANES);
    EACH(t) { slot[t] = 0; }
    /* Each slot has one writer: the exchange succeeds exactly once. */
    EACH(t) {
        u32 first = ATOMIC_CAS(&slot[t ^ 7], 0u, in[t] | 1u);
        u32 second = ATOMIC_CAS(&slot[t ^ 7], 0u, 5u);
        u32 third = ATOMIC_SWAP(&slot[t ^ 7], second + 2u);
        out[t] = first + second * 3u + third;
    }
    EACH(t) { out[t] ^= slot[t]; }
}

GROUP(atomic_ticket_sum, u32, u32, 1, 1) {
    SHARED(u32, next, 1);
    SHARED(u32, taken, LANES);
    EACH(t) { taken[t] = 0; if (t == 0) next[0] = 0; }
    EACH(t) { u32 mine = ATOMIC_ADD(&next[0], 1u); taken[mine & 63u] = 1u; }
    EACH(t) { out[t] = in[t] * taken[t] + next[0]; }
}

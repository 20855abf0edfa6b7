/* Sorting, searching, small matrices, fixed point, dynamic programming. */
#include "corpus.h"

CASE(sort_insertion, i32, i32, 8, 8) {
    i32 a[8];
    for (i32 k = 0; k < 8; k++) a[k] = in[k];
    for (i32 k = 1; k < 8; k++) {
        i32 x = a[k], j = k;
        while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; }
        a[j] = x;
    }
    for (i32 k = 0; k < 8; k++) out[k] = a[k];
}

CASE(sort_network, u32, u32, 4, 4) {
    u32 a = in[0], b = in[1], c = in[2], d = in[3], t;
    if (a > b) { t = a; a = b; b = t; }
    if (c > d) { t = c; c = d; d = t; }
    if (a > c) { t = a; a = c; c = t; }
    if (b > d) { t = b; b = d; d = t; }
    if (b > c) { t = b; b = c; c = t; }
    out[0] = a; out[1] = b; out[2] = c; out[3] = d;
}

CASE(sort_floats, tame, f32, 6, 6) {
    f32 a[6];
    for (i32 k = 0; k < 6; k++) a[k] = in[k];
    for (i32 pass = 0; pass < 6; pass++)
        for (i32 k = pass & 1; k + 1 < 6; k += 2)
            if (a[k + 1] < a[k]) { f32 t = a[k]; a[k] = a[k + 1]; a[k + 1] = t; }
    for (i32 k = 0; k < 6; k++) out[k] = a[k];
}

CASE(sort_shell, u16, u16, 12, 12) {
    u16 a[12];
    for (i32 k = 0; k < 12; k++) a[k] = in[k];
    for (i32 gap = 5; gap > 0; gap = gap == 5 ? 2 : gap - 1)
        for (i32 k = gap; k < 12; k++) {
            u16 x = a[k];
            i32 j = k;
            for (; j >= gap && a[j - gap] > x; j -= gap) a[j] = a[j - gap];
            a[j] = x;
        }
    for (i32 k = 0; k < 12; k++) out[k] = a[k];
}

CASE(median_of_five, i32, i32, 5, 1) {
    for (i32 k = 0; k < 5; k++) {
        i32 below = 0;
        for (i32 j = 0; j < 5; j++) below += in[j] < in[k] || (in[j] == in[k] && j < k);
        if (below == 2) out[0] = in[k];
    }
}

CASE(rank_permutation, u32, u8, 8, 8) {
    for (i32 k = 0; k < 8; k++) {
        u8 rank = 0;
        for (i32 j = 0; j < 8; j++) rank = (u8)(rank + (in[j] < in[k] || (in[j] == in[k] && j < k)));
        out[rank] = (u8)k;
    }
}

CASE(heap_top_three, u32, u32, 10, 3) {
    u32 a = 0, b = 0, c = 0;
    for (i32 k = 0; k < 10; k++) {
        u32 x = in[k];
        if (x > a) { c = b; b = a; a = x; } else if (x > b) { c = b; b = x; } else if (x > c) c = x;
    }
    out[0] = a; out[1] = b; out[2] = c;
}

CASE(matrix_integer_3x3, small, i32, 18, 9) {
    for (i32 i = 0; i < 3; i++)
        for (i32 j = 0; j < 3; j++) {
            i32 s = 0;
            for (i32 k = 0; k < 3; k++) s += in[i * 3 + k] * in[9 + k * 3 + j];
            out[i * 3 + j] = s;
        }
}

CASE(matrix_float_4x4, tame, f32, 32, 16) {
    for (i32 i = 0; i < 4; i++)
        for (i32 j = 0; j < 4; j++) {
            f32 s = 0.0f;
            for (i32 k = 0; k < 4; k++) s += in[i * 4 + k] * in[16 + k * 4 + j];
            out[i * 4 + j] = s;
        }
}

CASE(matrix_determinant, small, i64, 9, 1) {
    i64 a = in[0], b = in[1], c = in[2];
    out[0] = a * ((i64)in[4] * in[8] - (i64)in[5] * in[7])
             - b * ((i64)in[3] * in[8] - (i64)in[5] * in[6])
             + c * ((i64)in[3] * in[7] - (i64)in[4] * in[6]);
}

CASE(matrix_transpose, u32, u32, 12, 12) {
    for (i32 i = 0; i < 3; i++) for (i32 j = 0; j < 4; j++) out[j * 3 + i] = in[i * 4 + j];
}

CASE(gauss_3x3, dtame, f64, 12, 3) {
    f64 m[12];
    for (i32 k = 0; k < 12; k++) m[k] = in[k];
    for (i32 c = 0; c < 3; c++) {
        f64 p = m[c * 4 + c];
        if (p == 0.0) p = 1.0;
        for (i32 r = c + 1; r < 3; r++) {
            f64 f = m[r * 4 + c] / p;
            for (i32 k = c; k < 4; k++) m[r * 4 + k] = m[r * 4 + k] - f * m[c * 4 + k];
        }
    }
    for (i32 r = 2; r >= 0; r--) {
        f64 s = m[r * 4 + 3];
        for (i32 k = r + 1; k < 3; k++) s = s - m[r * 4 + k] * out[k];
        out[r] = m[r * 4 + r] == 0.0 ? s : s / m[r * 4 + r];
    }
}

CASE(quaternion_product, tame, f32, 8, 4) {
    const f32 *p = in, *q = in + 4;
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

CASE(butterflies_8, small, i32, 8, 8) {
    i32 a[8];
    for (i32 k = 0; k < 8; k++) a[k] = in[k];
    for (i32 h = 1; h < 8; h *= 2)
        for (i32 k = 0; k < 8; k++)
            if (!(k & h)) { i32 x = a[k], y = a[k + h]; a[k] = x + y; a[k + h] = x - y; }
    for (i32 k = 0; k < 8; k++) out[k] = a[k];
}

CASE(fixed_multiply_16_16, i32, i32, 2, 1) { out[0] = (i32)((i64)in[0] * in[1] >> 16); }

CASE(fixed_divide_16_16, i32, i32, 2, 1) {
    i64 d = in[1] ? in[1] : 65536;
    out[0] = (i32)(u32)(u64)((((i64)in[0]) * 65536) / d);
}

CASE(fixed_square_root, u32, u32, 1, 1) {
    u32 x = in[0], r = 0;
    for (u32 bit = 1u << 30; bit; bit >>= 2) {
        if (x >= r + bit) { x -= r + bit; r = (r >> 1) + bit; } else r >>= 1;
    }
    out[0] = r;
}

CASE(fixed_cordic, u32, i32, 1, 2) {
    i32 angle = (i32)(in[0] & 0xffffu) - 0x8000, x = 39797, y = 0, step = 0x4000;
    for (i32 k = 0; k < 14; k++) {
        i32 dx = y >> k, dy = x >> k;
        if (angle >= 0) { x -= dx; y += dy; angle -= step; } else { x += dx; y -= dy; angle += step; }
        step >>= 1;
    }
    out[0] = x;
    out[1] = y;
}

CASE(fixed_filter, i16, i32, 10, 10) {
    i32 state = 0;
    for (i32 k = 0; k < 10; k++) { state += (in[k] * 256 - state) >> 3; out[k] = state; }
}

CASE(edit_distance, text, u8, 12, 1) {
    u8 row[7];
    for (i32 k = 0; k < 7; k++) row[k] = (u8)k;
    for (i32 i = 0; i < 6; i++) {
        u8 corner = row[0];
        row[0] = (u8)(i + 1);
        for (i32 j = 0; j < 6; j++) {
            u32 swap = corner + (u32)(in[i] % 4 != in[6 + j] % 4), gap = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1u;
            corner = row[j + 1];
            row[j + 1] = (u8)(swap < gap ? swap : gap);
        }
    }
    out[0] = row[6];
}

CASE(longest_rising_run, i32, i32, 12, 1) {
    i32 best[12], top = 0;
    for (i32 k = 0; k < 12; k++) {
        best[k] = 1;
        for (i32 j = 0; j < k; j++) if (in[j] < in[k] && best[j] + 1 > best[k]) best[k] = best[j] + 1;
        if (best[k] > top) top = best[k];
    }
    out[0] = top;
}

CASE(maximum_subarray, small, i32, 12, 1) {
    i32 best = in[0], here = in[0];
    for (i32 k = 1; k < 12; k++) {
        here = here > 0 ? here + in[k] : in[k];
        if (here > best) best = here;
    }
    out[0] = best;
}

CASE(knapsack, u8, u32, 12, 1) {
    u32 best[32];
    for (i32 k = 0; k < 32; k++) best[k] = 0;
    for (i32 i = 0; i < 6; i++) {
        i32 weight = in[i] % 15 + 1;
        for (i32 w = 31; w >= weight; w--) {
            u32 with = best[w - weight] + in[6 + i];
            if (with > best[w]) best[w] = with;
        }
    }
    out[0] = best[31];
}

CASE(game_of_life_row, u32, u32, 3, 1) {
    u32 up = in[0], mid = in[1], down = in[2], next = 0;
    for (u32 k = 0; k < 32u; k++) {
        u32 n = 0;
        for (u32 d = 31; d < 34u; d++) {
            u32 c = (k + d) & 31u;
            n += (up >> c & 1u) + (down >> c & 1u) + (d == 32u ? 0u : mid >> c & 1u);
        }
        if (n == 3u || (n == 2u && (mid >> k & 1u))) next |= 1u << k;
    }
    out[0] = next;
}

CASE(eight_queens_check, u32, u32, 1, 2) {
    u32 seed = in[0], columns = 0, clashes = 0, place[8];
    for (u32 r = 0; r < 8u; r++) { place[r] = seed >> 4 * r & 7u; columns |= 1u << place[r]; }
    for (u32 a = 0; a < 8u; a++)
        for (u32 b = a + 1u; b < 8u; b++) {
            u32 d = place[a] > place[b] ? place[a] - place[b] : place[b] - place[a];
            clashes += d == 0u || d == b - a;
        }
    out[0] = columns;
    out[1] = clashes;
}

CASE(flood_reach, u64, u64, 2, 1) {
    u64 open = in[0] | in[1], seen = open & (0ull - open);
    for (i32 k = 0; k < 16; k++) {
        u64 wide = seen | seen << 8 | seen >> 8 | (seen & 0x7f7f7f7f7f7f7f7full) << 1
                   | (seen & 0xfefefefefefefefeull) >> 1;
        seen = wide & open;
    }
    out[0] = seen;
}

CASE(lru_cache, u8, u32, 16, 1) {
    u8 slot[4];
    u32 hits = 0;
    for (i32 k = 0; k < 4; k++) slot[k] = 255;
    for (i32 k = 0; k < 16; k++) {
        u8 want = in[k] & 7, found = 3;
        for (u8 s = 0; s < 4; s++) if (slot[s] == want) { found = s; hits++; break; }
        for (i32 s = found; s > 0; s--) slot[s] = slot[s - 1];
        slot[0] = want;
    }
    out[0] = hits << 8 | slot[3];
}

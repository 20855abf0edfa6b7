// How a tile comes from global memory to LDS.
//
// `.._begin` starts the loads, `.._end` writes to LDS what came through registers: compute lies
// between them. A fill is complete at the next barrier.
#pragma once
#include "lds_tiles.h"

#define THREADS (64 * WAVES)
// 16-byte chunks of a row, and those that a thread takes of `rows` rows.
#define ROW_CHUNKS (HEAD_DIM / 16)
#define SHARE(rows) ((rows) * ROW_CHUNKS / THREADS)
#define MOST_SHARE SHARE(32 * WAVES)

typedef struct {
    Buffer from;
    u32 row_bytes; // from one row to the next
} Source;

INLINE u32 thread_id(void) { return __builtin_amdgcn_workitem_id_x(); }
INLINE u32 wave_id(void) { return __builtin_amdgcn_readfirstlane(thread_id() / 64); }

// -- 8 x 8 bytes, through registers --------------------------------------------------------------

// Byte b of word w goes to byte w of word b.
INLINE void transpose_4x4(u32 *w) {
    u32 low01 = bytes_of(w[0], w[1], 0x05010400), high01 = bytes_of(w[0], w[1], 0x07030602);
    u32 low23 = bytes_of(w[2], w[3], 0x05010400), high23 = bytes_of(w[2], w[3], 0x07030602);
    w[0] = bytes_of(low01, low23, 0x05040100);
    w[1] = bytes_of(low01, low23, 0x07060302);
    w[2] = bytes_of(high01, high23, 0x05040100);
    w[3] = bytes_of(high01, high23, 0x07060302);
}

// w[i] becomes w[i ^ by] for `by` of two bits.
INLINE void exchange_words(u32 *w, u32 by) {
#pragma unroll
    for (int distance = 1; distance < 4; distance *= 2)
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (!(i & distance)) {
                u32 one = w[i], other = w[i + distance];
                w[i] = by & distance ? other : one;
                w[i + distance] = by & distance ? one : other;
            }
}

// -- Q and K ---------------------------------------------------------------------------------------

// Row and 16-byte chunk of a thread's share number i. Where lanes exchange bytes of 8 rows of one
// chunk, the rows are adjacent lanes.
INLINE u32 share_row(u32 i) {
    u32 x = thread_id() + THREADS * i;
    if (QK_FILL == FILL_PERMUTE || QK_FILL == FILL_WRITE2) return x / (8 * ROW_CHUNKS) * 8 + x % 8;
    return x / ROW_CHUNKS;
}
INLINE u32 share_chunk(u32 i) {
    u32 x = thread_id() + THREADS * i;
    if (QK_FILL == FILL_PERMUTE || QK_FILL == FILL_WRITE2) return x / 8 % ROW_CHUNKS;
    return x % ROW_CHUNKS;
}

// Rows as they are, in as wide writes as the pitch allows.
INLINE void write_rows(u32 base, u32 row, u32 chunk, u32x4 data) {
    u32 to = base + qk_offset(row, 16 * chunk);
    if (QK_STRIDE % 16 == 0) {
        write_b128(to, data);
    } else {
        write_b64(to, low_of(data));
        write_b64(to + 8, high_of(data));
    }
}

// Interleaved-8, byte by byte.
INLINE void write_bytes(u32 base, u32 row, u32 chunk, u32x4 data) {
    u32 to = base + qk_offset(row, 16 * chunk);
#pragma unroll
    for (int i = 0; i < 16; i++) write_b8(to + 8 * i, data[i / 4] >> 8 * (i % 4));
}

// Interleaved-8: 8 lanes gather two columns each, with ds_bpermute_b32 and v_perm_b32.
INLINE void write_permuted(u32 base, u32 row, u32 chunk, u32x4 data) {
    u32 lane = lane_id(), own = lane % 8;
    u32 word[4] = {data.x, data.y, data.z, data.w}, got[8];
    exchange_words(word, own >> 1);
    // From lane own ^ j comes its word own / 2: its row, my columns and their neighbors'.
#pragma unroll
    for (int j = 0; j < 8; j++) got[j] = from_lane(lane ^ j, word[j >> 1]);
    // Bytes of columns 2 own and 2 own + 1, of the even and the odd row of a pair of lanes.
    u32 even = own & 1 ? 4 : 0, odd = 4 - even, column = 2 * (own & 1);
    u32 pick = (even + column) | (odd + column) << 8 | (even + column + 1) << 16 |
               (odd + column + 1) << 24;
    u32 pair[4], first[2], second[2];
#pragma unroll
    for (int e = 0; e < 4; e++) pair[e] = bytes_of(got[2 * e], got[2 * e + 1], pick);
    // Pair e has rows of lanes 2 (own / 2 ^ e): the lower pair goes to the lower half.
    u32 rows01 = own & 2 ? 0x01000504 : 0x05040100, rows23 = own & 2 ? 0x03020706 : 0x07060302;
#pragma unroll
    for (int q = 0; q < 2; q++) {
        first[q] = bytes_of(pair[2 * q], pair[2 * q + 1], rows01);
        second[q] = bytes_of(pair[2 * q], pair[2 * q + 1], rows23);
    }
    u32 upper = own >> 2;
    u64 a = (u64)first[0] | (u64)first[1] << 32, b = (u64)second[0] | (u64)second[1] << 32;
    u64 swapped_a = a >> 32 | a << 32, swapped_b = b >> 32 | b << 32;
    u32 to = base + qk_offset(row - own, 16 * chunk + 2 * own);
    write_b64(to, upper ? swapped_a : a);
    write_b64(to + 8, upper ? swapped_b : b);
}

// Interleaved-8: 4 lanes gather four columns each; a word holds 4 rows of a column.
INLINE void write_pairs(u32 base, u32 row, u32 chunk, u32x4 data) {
    u32 own = lane_id() % 4;
    u32 word[4] = {data.x, data.y, data.z, data.w};
    exchange_words(word, own);
    word[1] = FROM_QUAD(1, word[1]);
    word[2] = FROM_QUAD(2, word[2]);
    word[3] = FROM_QUAD(3, word[3]);
    exchange_words(word, own);
    transpose_4x4(word);
    u32 to = base + qk_offset(row - own, 16 * chunk + 4 * own);
    WRITE2_B32(to, word[0], word[1]);
    WRITE2_B32(to + 16, word[2], word[3]);
}

// Full waves of 16 bytes a lane. LDS takes them in order of lanes, so that only the source can
// permute: chunk p of a row receives the chunk whose place is p.
INLINE void copy_rows(u32 to, Source from, u32 row0, u32 rows, int is_k) {
    u32 wave = wave_id();
#pragma unroll
    for (int i = 0; i < SHARE(rows); i++) {
        u32 x = thread_id() + THREADS * i, row = x / ROW_CHUNKS;
        u32 column = 16 * (x % ROW_CHUNKS) ^ qk_swizzle(row);
        (void)is_k;
        copy_b128(from.from, (row0 + row) * from.row_bytes + column, to + 1024 * (wave + WAVES * i));
    }
}

// A row an instruction: M0 at the row, 4 bytes a lane, the other lanes inactive.
INLINE void copy_single_rows(u32 to, Source from, u32 row0, u32 rows) {
    u32 wave = wave_id(), lane = lane_id();
    if (lane < HEAD_DIM / 4)
#pragma unroll
        for (u32 i = 0; i < rows / WAVES; i++) {
            u32 row = wave + WAVES * i;
            copy_b32(from.from, (row0 + row) * from.row_bytes + 4 * lane, to + row * QK_STRIDE);
        }
}

// Interleaved-8 from rows in a staging buffer, which each wave fills and reads alone: blocks of 8
// rows and 32 columns are one transposing read.
#define STAGE_ROWS(rows) ((rows) / WAVES)
INLINE void stage_rows(u32 stage, Source from, u32 row0, u32 rows, int is_k) {
    u32 lane = lane_id(), wave = wave_id(), mine = STAGE_ROWS(rows) * wave;
#pragma unroll
    for (int i = 0; i < SHARE(rows); i++) {
        u32 x = lane + 64 * i, row = x / ROW_CHUNKS;
        u32 column = 16 * (x % ROW_CHUNKS) ^ v_swizzle_of(row, 1);
        copy_b128(from.from, (row0 + source_row(mine + row, is_k)) * from.row_bytes + column,
                  stage + mine * HEAD_DIM + 1024 * i);
    }
}
INLINE void transpose_staged(u32 to, u32 stage, u32 rows) {
    u32 lane = lane_id(), wave = wave_id(), mine = STAGE_ROWS(rows) * wave;
    wait_for_copies();
    // A group of 16 lanes reads 8 rows of 16 columns; lane i of it receives column i.
    u32 group = lane / 16, lent = lent_to_lane(lane) % 16, row = lent_to_element(lane);
#pragma unroll
    for (int i = 0; i < STAGE_ROWS(rows) * HEAD_DIM / 512; i++) {
        u32 unit = 4 * i + group, first = unit / ROW_CHUNKS * 8, column = unit % ROW_CHUNKS * 16;
        u32 source = (mine + first + row) * HEAD_DIM;
        u64 rows8 = read_tr8(stage + source + ((column + lent) ^ v_swizzle_of(first + row, 1)));
        write_b64(to + qk_offset(mine + first, column + lane % 16), rows8);
    }
}

INLINE void qk_begin(u32 to, u32 stage, Source from, u32 row0, u32 rows, int is_k, u32x4 *share) {
    if (QK_FILL == FILL_COPY) {
        copy_rows(to, from, row0, rows, is_k);
    } else if (QK_FILL == FILL_COPY_ROW) {
        copy_single_rows(to, from, row0, rows);
    } else if (QK_FILL == FILL_TRANSPOSE) {
        stage_rows(stage, from, row0, rows, is_k);
    } else {
#pragma unroll
        for (int i = 0; i < SHARE(rows); i++) {
            u32 row = row0 + source_row(share_row(i), is_k);
            share[i] = load_b128(from.from, row * from.row_bytes + 16 * share_chunk(i));
        }
    }
}
INLINE void qk_end(u32 to, u32 stage, u32 rows, const u32x4 *share) {
    if (QK_FILL == FILL_COPY || QK_FILL == FILL_COPY_ROW) return;
    if (QK_FILL == FILL_TRANSPOSE) {
        transpose_staged(to, stage, rows);
        return;
    }
#pragma unroll
    for (int i = 0; i < SHARE(rows); i++) {
        u32 row = share_row(i), chunk = share_chunk(i);
        if (QK_FILL == FILL_ROWS) write_rows(to, row, chunk, share[i]);
        if (QK_FILL == FILL_BYTES) write_bytes(to, row, chunk, share[i]);
        if (QK_FILL == FILL_PERMUTE) write_permuted(to, row, chunk, share[i]);
        if (QK_FILL == FILL_WRITE2) write_pairs(to, row, chunk, share[i]);
    }
}

// -- V -----------------------------------------------------------------------------------------

// Row and 16-byte chunk of a thread's share number i. Blocks of V^T in the order of 8 columns have
// neighboring keys side by side: 16 lanes, which LDS writes at once, take 16 keys of one chunk.
#define KEYS_TOGETHER (V_LAYOUT == LAYOUT_INTERLEAVED ? 16 : 1)
INLINE u32 v_row(u32 i) {
    u32 x = thread_id() + THREADS * i;
    return x / (KEYS_TOGETHER * ROW_CHUNKS) * KEYS_TOGETHER + x % KEYS_TOGETHER;
}
INLINE u32 v_column(u32 i) {
    return 16 * ((thread_id() + THREADS * i) / KEYS_TOGETHER % ROW_CHUNKS);
}

// V^T through registers: a thread takes 8 keys of 4 columns.
#define V_UNITS (KEYS / 8 * HEAD_DIM / 4)

INLINE void v_begin(u32 to, Source from, u32 row0, u32x4 *share) {
    u32 thread = thread_id(), wave = wave_id();
#if V_LAYOUT == LAYOUT_TRANSPOSED
    u32 column = thread % (HEAD_DIM / 4) * 4, slot = thread / (HEAD_DIM / 4) * 8;
    if (wave < V_UNITS / 64)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            u32 row = row0 + key_of_slot(slot + i);
            share[i / 4][i % 4] = load_b32(from.from, row * from.row_bytes + column);
        }
#else
#pragma unroll
    for (int i = 0; i < SHARE(KEYS); i++) {
        u32 row = v_row(i), column = v_column(i);
        u32 place = (row0 + row) * from.row_bytes;
        if (V_FILL == FILL_COPY)
            copy_b128(from.from, place + (column ^ v_swizzle(row)), to + 1024 * (wave + WAVES * i));
        else
            share[i] = load_b128(from.from, place + column);
    }
#endif
}
INLINE void v_end(u32 to, const u32x4 *share) {
#if V_LAYOUT == LAYOUT_TRANSPOSED
    u32 thread = thread_id();
    u32 column = thread % (HEAD_DIM / 4) * 4, slot = thread / (HEAD_DIM / 4) * 8;
    if (wave_id() >= V_UNITS / 64) return;
    u32 low[4] = {share[0].x, share[0].y, share[0].z, share[0].w};
    u32 high[4] = {share[1].x, share[1].y, share[1].z, share[1].w};
    transpose_4x4(low);
    transpose_4x4(high);
#pragma unroll
    for (int i = 0; i < 4; i++)
        write_b64(to + v_offset(slot, column + i), (u64)low[i] | (u64)high[i] << 32);
#else
    if (V_FILL == FILL_COPY) return;
#pragma unroll
    for (int i = 0; i < SHARE(KEYS); i++) {
        u32 row = v_row(i), column = v_column(i);
        u32 place = to + v_offset(row, column);
        if (V_LAYOUT == LAYOUT_ROWS && V_STRIDE % 16 == 0) {
            write_b128(place, share[i]);
        } else {
            write_b64(place, low_of(share[i]));
            write_b64(to + v_offset(row, column + 8), high_of(share[i]));
        }
    }
#endif
}

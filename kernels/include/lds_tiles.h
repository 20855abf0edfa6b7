// How tiles lie in LDS, and the operands that a wave reads from them.
//
// S^T = K Q^T and O^T = V^T P^T, so that a lane holds one query all the way: the row of K (a key) is
// D's row, and P's registers hold the keys of D's registers. The k of a product is a gauge: any
// order will do that both operands share. `slot` numbers the keys in that order.
#pragma once
#include "gfx950.h"

#define CHUNKS (HEAD_DIM / 16)
#define TILES_OF_HEAD (HEAD_DIM / 32)
#define SLOT_CHUNKS (KEYS / 16)

INLINE u32 lane_id(void) { return __builtin_amdgcn_workitem_id_x() % 64; }
INLINE u32 half_of(u32 lane) { return lane / 32; }

// -- Which key a register of S^T holds -----------------------------------------------------------

// Keys of a tile of 32 in the order of P's registers: 8 of lanes 0 to 31, 8 of lanes 32 to 63, ..
INLINE u32 slot_of(u32 half, u32 reg) { return 16 * (reg / 8) + 8 * half + reg % 8; }
INLINE u32 slot_half(u32 slot) { return slot / 8 % 2; }
INLINE u32 slot_reg(u32 slot) { return 8 * (slot / 16) + slot % 8; }

// The key that row m of S^T holds.
INLINE u32 key_of_row(u32 row) {
#if P_WAY == P_BY_K_ROWS
    return slot_of(half_of(d_at_lane(row, 0, 0)), d_at_reg(row, 0, 0));
#else
    return row;
#endif
}

// The key of a lane's register of S^T.
INLINE u32 key_of_register(u32 lane, u32 reg) { return key_of_row(d_row(lane, reg, 0)); }

// The key that a slot of P and V holds; 32 slots repeat.
INLINE u32 key_of_slot(u32 slot) {
#if P_WAY == P_BY_V_ROWS
    u32 within = slot % 32;
    return slot - within + d_row(32 * slot_half(within), slot_reg(within), 0);
#else
    return slot;
#endif
}

// The row of memory that a fill takes to a row of a tile of Q or K.
INLINE u32 source_row(u32 row, int is_k) {
    if (QK_LAYOUT == LAYOUT_ROWS || !is_k) return row;
    return row - row % 32 + key_of_row(row % 32);
}

// -- Where an element lies -----------------------------------------------------------------------

// 16-byte chunks of a row, permuted so that the lanes of a phase meet every bank once.
INLINE u32 qk_swizzle(u32 row) {
    return QK_SWIZZLE ? 16 * (row >> (HEAD_DIM == 128 ? 1 : 2) & (CHUNKS - 1)) : 0;
}
INLINE u32 v_swizzle_of(u32 row, int swizzled) {
    if (!swizzled) return 0;
    if (HEAD_DIM == 128) return 16 * ((row & 2) | ((row ^ row >> 1) & 4));
    return 16 * ((row >> 1 ^ row >> 2) & 2);
}
INLINE u32 v_swizzle(u32 row) { return v_swizzle_of(row, V_SWIZZLE); }

// Interleaved-8: the bytes of 8 rows at one k lie side by side.
INLINE u32 interleaved(u32 row, u32 k, u32 stride) { return row % 8 + row / 8 * stride + 8 * k; }

// Row and k of an element of Q or K.
INLINE u32 qk_offset(u32 row, u32 k) {
#if QK_LAYOUT == LAYOUT_INTERLEAVED
    return interleaved(row, k, QK_STRIDE);
#else
    return row * QK_STRIDE + (k ^ qk_swizzle(row));
#endif
}

// Slot (or key, where the layout keeps the order of memory) and column of V.
INLINE u32 v_offset(u32 key, u32 column) {
#if V_LAYOUT == LAYOUT_INTERLEAVED
    return interleaved(column, key, V_STRIDE);
#elif V_LAYOUT == LAYOUT_TRANSPOSED
    return column * V_STRIDE + key;
#else
    return key * V_STRIDE + (column ^ v_swizzle(key));
#endif
}

// -- Operands ------------------------------------------------------------------------------------

// What a transposing read makes of the 8 bytes at this lane's address: byte b goes to element
// tr8_element of lane tr8_lane + b.
INLINE u32 lent_to_lane(u32 lane) { return tr8_lane(lane, 0); }
INLINE u32 lent_to_element(u32 lane) { return 4 * tr8_reg(lane, 0) + tr8_byte(lane, 0); }

// All chunks of 32 rows of Q (or K) from row `first` of the tile at `base`.
INLINE void read_qk(u32 base, u32 first, int is_k, u64 *chunks) {
    u32 lane = lane_id();
#if QK_LAYOUT == LAYOUT_INTERLEAVED
    u32 to = lent_to_lane(lane), row = a_row(to, 0, 0);
    (void)is_k; // the fill has permuted K's rows: 8 rows of a block lie side by side
    u32 address = base + qk_offset(first + row, 8 * half_of(to) + lent_to_element(lane));
#pragma unroll
    for (int n = 0; n < CHUNKS; n++) chunks[n] = read_tr8(address + n * 16 * 8);
#else
    u32 row = a_row(lane, 0, 0);
    row = first + (is_k ? key_of_row(row) : row);
#if QK_READ == 8
    u32 address = base + qk_offset(row, 8 * half_of(lane));
#pragma unroll
    for (int n = 0; n < CHUNKS; n++) chunks[n] = read_b64(address + 16 * n);
#else
#pragma unroll
    for (int n = 0; n < CHUNKS; n += 2) {
        u32x4 both = read_b128(base + qk_offset(row, 16 * n + 16 * half_of(lane)));
        chunks[n] = low_of(both);
        chunks[n + 1] = high_of(both);
    }
#endif
#endif
}

// Chunks of slots 16 n and on, for 32 columns of V from `column`: V^T's rows.
INLINE void read_v(u32 base, u32 column, u64 *chunks) {
    u32 lane = lane_id();
#if V_LAYOUT == LAYOUT_TRANSPOSED
    u32 address = base + v_offset(8 * half_of(lane), column + a_row(lane, 0, 0));
#pragma unroll
    for (int n = 0; n < SLOT_CHUNKS; n++) chunks[n] = read_b64(address + 16 * n);
#else
    u32 to = lent_to_lane(lane), own = column + a_row(to, 0, 0);
    u32 slot = 8 * half_of(to) + lent_to_element(lane);
#pragma unroll
    for (int n = 0; n < SLOT_CHUNKS; n++)
        chunks[n] = read_tr8(base + v_offset(key_of_slot(16 * n + slot), own));
#endif
}

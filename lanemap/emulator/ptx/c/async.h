/* Accesses of asynchronous operations.
 *
 * An instruction asks for the stamp of one operation, begins accesses with it, and moves bytes
 * through `access`, as every instruction does:
 *
 *   u64 stamp = next_copy(w, instruction);                                 cp.async.wait_group
 *   u64 stamp = next_bulk(w, instruction, lane);                           cp.async.bulk.wait_group
 *   u64 stamp = next_transaction(w, instruction, lane, owner, mbarrier);   complete_tx of a phase
 *   Access from = async_access(w, instruction, stamp, SPACE_SHARED, ACCESS_LOAD, 16);
 *   ..
 *   mbarrier_transact(w, instruction, lane, owner, mbarrier, -bytes);      after the last access
 */
#ifndef LANEMAP_ASYNC_H
#define LANEMAP_ASYNC_H
#include "completion.h"
#include "mbarrier.h"
#include "memory_model.h"
#include "ptx_cta.h"

/* Lanes of a mask waited for all their bulk groups but the last `allowed` ones: their operations
 * have read their maps. */
void maps_read(Wave *w, u64 mask, u32 allowed);
/* An instruction between CTAs needs a cluster of several (PTX ISA, st.async: %cluster_nctarank >
 * 1; an H200 ends the kernel otherwise). */
void needs_cluster(Wave *w, u32 instruction, u64 lanes);
/* The mbarrier at an address, which must be in the same CTA as the bytes that are written; null
 * after a hazard. */
Mbarrier *mbarrier_of(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u64 to, u32 size,
                      Cta **owner);
/* An access of an operation; `space` and `align` as of any access. */
Access async_access(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align);
/* A bulk operation reads its source, after what the lane that issued it is ordered after; 0
 * after a hazard. */
int read_bulk(const Access *a, const Range *r);
/* 64 bits of a lane in two rows. */
static inline u64 address_in(const Wave *w, u32 row, u32 lane) {
  return w->value[row][lane] | (u64)w->value[row + 1][lane] << 32;
}
/* Sizes and addresses of bulk operations are multiples of this; 0 after a hazard. */
enum { BULK_ALIGN = 16 };
int bulk_size(Wave *w, u32 instruction, u32 lane, u32 size);
/* The same for an engine's access of `bytes` bytes on behalf of a lane, of which observers are
 * told. */
Access begin_engine(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align, u32 lane,
                    u64 bytes);
/* Bytes on their way from one memory to another. */
enum { PIECE_BYTES = 4096 };
typedef struct Piece {
  u8 data[PIECE_BYTES], undefined[PIECE_BYTES];
  u32 origin[PIECE_BYTES];
} Piece;
/* What a reduction does to an element: an operation of atom (enum Atomic) on 4 or 8 bytes, or
 * one of these on floats. Sums of f32 keep subnormal numbers (PTX ISA, cp.reduce.async.bulk),
 * but for FTZ. */
enum Reduction {
  REDUCE_F16_ADD = 64,
  REDUCE_F16_MIN,
  REDUCE_F16_MAX,
  REDUCE_BF16_ADD,
  REDUCE_BF16_MIN,
  REDUCE_BF16_MAX,
  REDUCE_FLOAT_ADD,
  REDUCE_FTZ_ADD
};
/* Reduce `bytes` bytes of a piece into memory, in elements of `size` bytes; 0 after a hazard. */
int reduce_into(const Access *target, u64 address, u32 lane, const Piece *from, u32 bytes,
                u32 operation, u32 size);
/* `size` bytes from `at` on of a piece, as a range of one lane. */
Range range_in(const Wave *w, Piece *piece, u32 at, u32 lane, u64 address, u32 size);
#endif

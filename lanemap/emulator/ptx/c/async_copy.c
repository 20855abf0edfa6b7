/* cp.async and cp.async.bulk (PTX ISA, Data Movement and Conversion Instructions: asynchronous
 * copy). */
#include "async.h"
#include "completion.h"
#include "copies.h"
#include "events.h"
#include "ptx_mbarrier.h"

/* -- cp.async ---------------------------------------------------------------------------------- */

#define COPY_BYTES 16 /* of a lane, at most: its place in a piece */

/* Lanes from `first` on whose bytes follow each other in memory, and in the piece. */
static u32 lanes_together(const u64 *address, u64 mask, u32 first, u32 size) {
  u32 count = 1;
  while (first + count < WARP_LANES && mask >> (first + count) & 1 &&
         address[first + count] == address[first + count - 1] + size)
    count++;
  return count;
}

/* One side of a copy of `size` bytes by each lane of `mask`, which lie one after the other in
 * the piece. */
static void copy_side(const Access *a, const u64 *address, u64 mask, u32 size, Piece *piece) {
  while (mask) {
    u32 first = lowest(mask),
        count = size == COPY_BYTES ? lanes_together(address, mask, first, size) : 1;
    Range r = range_in(a->w, piece, first * COPY_BYTES, first, address[first], count * size);
    r.each = size;
    access(a, &r);
    mask &= ~(((1ull << count) - 1) << first);
  }
}

/* cp.async by the lanes of a mask: destinations in `address`, sources in rows row and row + 1;
 * how many bytes of the source count in row + 2, the others are zeros. */
void lm_async_copy(Wave *w, u32 instruction, u64 mask, u32 size, u32 row) {
  Piece piece;
  u64 from[MAX_LANES], whole = 0, some = 0, all = 0;
  if (!mask) return;
  u64 stamp = next_copy(w, instruction);
  note_copy(w, mask);
  Access source = async_access(w, instruction, stamp, SPACE_GLOBAL, ACCESS_LOAD, size);
  Access target = async_access(w, instruction, stamp, SPACE_SHARED, ACCESS_STORE, size);
  fill_bytes(piece.data, 0, WARP_LANES * COPY_BYTES);
  fill_bytes(piece.undefined, 0, WARP_LANES * COPY_BYTES);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), bytes = w->value[row + 2][lane];
    from[lane] = address_in(w, row, lane);
    all += bytes;
    if (bytes) some |= 1ull << lane;
    if (bytes > size) {
      report_rule(w, instruction, 1ull << lane, RULE_COPY_SOURCE_SIZE, bytes, size, 0);
      bytes = size;
    }
    if (bytes == size) whole |= 1ull << lane;
    else if (bytes) {
      Range r = range_in(w, &piece, lane * COPY_BYTES, lane, from[lane], bytes);
      access(&source, &r);
    }
  }
  tell_reads(&source, some, from, all);
  tell_lanes(&target, mask, size, 0);
  copy_side(&source, from, whole, size, &piece);
  copy_side(&target, w->address, mask, size, &piece);
}

/* -- cp.async.bulk ----------------------------------------------------------------------------- */

int bulk_size(Wave *w, u32 instruction, u32 lane, u32 size) {
  if (!(size % BULK_ALIGN)) return 1;
  report_rule(w, instruction, 1ull << lane, RULE_BULK_SIZE, size, BULK_ALIGN, 0);
  return 0;
}

/* One copy: `size` bytes, piece by piece. */
static void copy_bulk(const Access *source, u64 from, const Access *target, u64 to, u32 lane,
                      u32 size) {
  Piece piece;
  for (u32 done = 0, bytes; done < size; done += bytes) {
    bytes = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
    Range in = range_in(source->w, &piece, 0, lane, from + done, bytes);
    Range out = range_in(target->w, &piece, 0, lane, to + done, bytes);
    if (!read_bulk(source, &in)) return;
    if (!access(target, &out)) return;
  }
}

/* A copy into shared memory that an mbarrier of the destination's CTA completes: to `to` from
 * `from`. */
static void bulk_to_shared(Wave *w, u32 instruction, u32 lane, u32 from_space, u64 from, u64 to,
                           u64 barrier, u32 size) {
  Cta *owner;
  Mbarrier *m = mbarrier_of(w, instruction, lane, SPACE_CLUSTER, barrier, to, size, &owner);
  if (!m) return;
  check_begun(w, instruction, lane, owner, m);
  u64 stamp = next_transaction(w, instruction, lane, owner, m);
  Access source =
      begin_engine(w, instruction, stamp, from_space, ACCESS_LOAD, BULK_ALIGN, lane, size);
  Access target =
      begin_engine(w, instruction, stamp, SPACE_CLUSTER, ACCESS_STORE, BULK_ALIGN, lane, size);
  copy_bulk(&source, from, &target, to, lane, size);
  mbarrier_transact(w, instruction, lane, owner, m, -(i64)size);
}

/* cp.async.bulk into shared memory by each lane of a mask: destination in `address`, source in
 * rows row and row + 1, bytes in row + 2, mbarrier in rows row + 3 and row + 4; with `multicast`
 * a mask of CTAs in row + 5, of which each gets the bytes at the destination's offset, and its
 * mbarrier there the signal. */
void lm_bulk_load(Wave *w, u32 instruction, u64 mask, u32 row, u32 from_space, u32 multicast) {
  Group *g = w->group;
  u32 in_cta = (1u << RANK_SHIFT) - 1;
  if (from_space == SPACE_SHARED) needs_cluster(w, instruction, mask);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), size = w->value[row + 2][lane];
    u64 to = w->address[lane] & 0xffffffff, from = address_in(w, row, lane);
    u64 barrier = address_in(w, row + 3, lane) & 0xffffffff;
    if (!bulk_size(w, instruction, lane, size)) continue;
    if (!multicast) {
      bulk_to_shared(w, instruction, lane, from_space, from, to, barrier, size);
      continue;
    }
    u32 ctas = w->value[row + 5][lane] & 0xffff;
    if (!ctas || ctas >> g->cta_count)
      report_rule(w, instruction, 1ull << lane, RULE_BULK_CTAS, ctas, g->cta_count, 0);
    for (u32 i = 0; i < g->cta_count; i++)
      if (ctas >> i & 1)
        bulk_to_shared(w, instruction, lane, from_space, from, (to & in_cta) | (u64)i << RANK_SHIFT,
                       (barrier & in_cta) | (u64)i << RANK_SHIFT, size);
  }
}

/* cp.async.bulk.prefetch by each lane of a mask: only a hint, for which address and size must be
 * aligned. */
void lm_bulk_prefetch(Wave *w, u32 instruction, u64 mask, u32 row) {
  Access a = async_access(w, instruction, 0, SPACE_GLOBAL, ACCESS_LOAD, BULK_ALIGN);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    bulk_size(w, instruction, lane, w->value[row][lane]);
    if (w->address[lane] % BULK_ALIGN) misaligned(&a, lane, w->address[lane], BULK_ALIGN);
  }
}

/* The bytes of each chunk that a mask leaves out are not accessed. */
static void store_masked(const Access *source, u64 from, const Access *target, u64 to, u32 lane,
                         u32 size, u32 bytes) {
  Piece piece;
  for (u32 done = 0; done < size; done += BULK_ALIGN) {
    Range in = range_in(source->w, &piece, 0, lane, from + done, BULK_ALIGN);
    if (!read_bulk(source, &in)) return;
    for (u32 first = 0, count; first < BULK_ALIGN; first += count) {
      for (count = 1;
           first + count < BULK_ALIGN && (bytes >> (first + count) & 1) == (bytes >> first & 1);
           count++) {}
      if (!(bytes >> first & 1)) continue;
      Range out = range_in(target->w, &piece, first, lane, to + done + first, count);
      if (!access(target, &out)) return;
    }
  }
}

/* cp.async.bulk from shared to global memory by each lane of a mask: destination in `address`,
 * source in row, bytes in row + 1; with `masked` which bytes of each 16 are copied, in row + 2. */
void lm_bulk_store(Wave *w, u32 instruction, u64 mask, u32 row, u32 masked) {
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), size = w->value[row + 1][lane];
    if (!bulk_size(w, instruction, lane, size)) continue;
    u64 stamp = next_bulk(w, instruction, lane);
    u32 align = masked ? 1 : BULK_ALIGN;
    Access source =
        begin_engine(w, instruction, stamp, SPACE_SHARED, ACCESS_LOAD, BULK_ALIGN, lane, size);
    Access target =
        begin_engine(w, instruction, stamp, SPACE_GLOBAL, ACCESS_STORE, align, lane, size);
    u64 to = w->address[lane];
    if (masked && to % BULK_ALIGN) misaligned(&target, lane, to, BULK_ALIGN);
    else if (masked)
      store_masked(&source, w->value[row][lane], &target, to, lane, size, w->value[row + 2][lane]);
    else copy_bulk(&source, w->value[row][lane], &target, to, lane, size);
  }
}

/* cp.async.bulk.wait_group, also for maps of tensor loads. */
void lm_bulks_wait(Wave *w, u64 mask, u32 allowed, u32 reads) {
  bulks_wait(w, mask, allowed, reads);
  maps_read(w, mask, allowed);
}

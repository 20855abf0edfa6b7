/* Asynchronous stores and reductions (PTX ISA: st.async, red.async, cp.reduce.async.bulk). */
#include "async.h"
#include "atomics.h"
#include "completion.h"
#include "events.h"
#include "ptx_atomics.h"
#include "ptx_mbarrier.h"

static u64 reduced(u32 operation, u64 old, u64 operand, u32 size) {
  if (operation == REDUCE_FLOAT_ADD) return add_as_ptx(old, operand, size, size == 8);
  if (operation == REDUCE_FTZ_ADD) return add_as_ptx(old, operand, size, 1);
  if (operation >= REDUCE_BF16_ADD)
    return half_operation(operation - REDUCE_BF16_ADD, FORMAT_BF16, (u32)old, (u32)operand);
  if (operation >= REDUCE_F16_ADD)
    return half_operation(operation - REDUCE_F16_ADD, FORMAT_F16, (u32)old, (u32)operand);
  return atomic_result(operation, old, operand, 0, size);
}

/* Undefined bits of an element of either side make all of the result undefined. */
static void spread_undefined(Piece *to, const Piece *from, u32 at, u32 size) {
  u32 any = 0, origin = 0;
  for (u32 i = at; i < at + size; i++) {
    if (!any && to->undefined[i]) origin = to->origin[i];
    if (!any && from->undefined[i]) origin = from->origin[i];
    any |= (u32)to->undefined[i] | from->undefined[i];
  }
  for (u32 i = at; any && i < at + size; i++) to->undefined[i] = 0xff, to->origin[i] = origin;
}

/* The elements of `to` become those of both. */
static void reduce_piece(const Wave *w, Piece *to, const Piece *from, u32 bytes, u32 operation,
                         u32 size) {
  for (u32 at = 0; at < bytes; at += size) {
    u64 old = 0, operand = 0;
    copy_bytes((u8 *)&old, to->data + at, size);
    copy_bytes((u8 *)&operand, from->data + at, size);
    old = reduced(operation, old, operand, size);
    copy_bytes(to->data + at, (u8 *)&old, size);
    if (w->launch->precise) spread_undefined(to, from, at, size);
  }
}

int reduce_into(const Access *target, u64 address, u32 lane, const Piece *from, u32 bytes,
                u32 operation, u32 size) {
  u64 offset;
  Piece there;
  Range r = range_in(target->w, &there, 0, lane, address, bytes);
  fill_bytes(there.undefined, 0, bytes);
  Memory *m = exchange_at(target, &r, &offset);
  if (!m) return 0;
  read_bytes(target, &r, m, offset);
  reduce_piece(target->w, &there, from, bytes, operation, size);
  write_bytes(target, &r, m, offset);
  target->w->launch->changes++;
  return 1;
}

static void reduce_bulk(const Access *source, u64 from, const Access *target, u64 to, u32 lane,
                        u32 bytes, u32 operation, u32 size) {
  Piece piece;
  for (u32 done = 0, part; done < bytes; done += part) {
    part = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
    Range in = range_in(source->w, &piece, 0, lane, from + done, part);
    if (!read_bulk(source, &in)) return;
    if (!reduce_into(target, to + done, lane, &piece, part, operation, size)) return;
  }
}

/* cp.reduce.async.bulk by each lane of a mask: destination in `address`, source in row, bytes in
 * row + 1; into shared memory with the mbarrier in rows row + 2 and row + 3. */
void lm_bulk_reduce(Wave *w, u32 instruction, u64 mask, u32 row, u32 shared, u32 operation,
                    u32 size) {
  u32 space = shared ? SPACE_CLUSTER : SPACE_GLOBAL;
  if (shared) needs_cluster(w, instruction, mask);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), bytes = w->value[row + 1][lane];
    Cta *owner = 0;
    Mbarrier *m = 0;
    if (!bulk_size(w, instruction, lane, bytes)) continue;
    if (shared) {
      m = mbarrier_of(w, instruction, lane, SPACE_CLUSTER, address_in(w, row + 2, lane),
                      w->address[lane], bytes, &owner);
      if (!m) continue;
    }
    if (m) check_begun(w, instruction, lane, owner, m);
    u64 stamp =
        m ? next_transaction(w, instruction, lane, owner, m) : next_bulk(w, instruction, lane);
    Access source =
        begin_engine(w, instruction, stamp, SPACE_SHARED, ACCESS_LOAD, BULK_ALIGN, lane, bytes);
    Access target =
        begin_engine(w, instruction, stamp, space, READ_MODIFY_WRITE, BULK_ALIGN, lane, bytes);
    reduce_bulk(&source, w->value[row][lane], &target, w->address[lane], lane, bytes, operation,
                size);
    if (m) mbarrier_transact(w, instruction, lane, owner, m, -(i64)bytes);
  }
}

/* A lane's operand from rows, with its undefined bits. */
static void take_operand(Wave *w, u32 row, u32 lane, u32 bytes, Piece *piece) {
  u32 any = 0;
  for (u32 i = 0; i < bytes; i++) {
    u32 shift = i % 4 * 8;
    piece->data[i] = (u8)(w->value[row + i / 4][lane] >> shift);
    piece->undefined[i] = (u8)(w->undefined[row + i / 4][lane] >> shift);
    piece->origin[i] = w->launch->precise ? w->origin[row + i / 4][lane] : 0;
    any |= piece->undefined[i];
  }
  if (any && !w->launch->precise) w->stop = STOP_IMPRECISE;
}

/* st.async and (`operation`, of 4 or 8 bytes) red.async by each lane of a mask: destination in
 * `address`, mbarrier in rows row and row + 1, the operand from row + 2 on. Both go through the
 * generic proxy. */
void lm_async_store(Wave *w, u32 instruction, u64 mask, u32 space, u32 row, u32 bytes, u32 reduces,
                    u32 operation) {
  if (!mask) return;
  needs_cluster(w, instruction, mask);
  u32 kind = (reduces ? READ_MODIFY_WRITE | ACCESS_CLUSTER : ACCESS_STORE) | ACCESS_DIRECT;
  Access target = async_access(w, instruction, stamp_of(w, AGENT_BARRIER, 0), space, kind, bytes);
  tell_lanes(&target, mask, bytes, 0);
  for (u64 left = mask; left; left &= left - 1) {
    Piece piece;
    Cta *owner;
    u32 lane = lowest(left);
    u64 to = w->address[lane];
    Mbarrier *m =
        mbarrier_of(w, instruction, lane, space, address_in(w, row, lane), to, bytes, &owner);
    if (!m) continue;
    target.stamps[0] = target.stamps[1] = next_transaction(w, instruction, lane, owner, m);
    take_operand(w, row + 2, lane, bytes, &piece);
    if (reduces) {
      reduce_into(&target, to, lane, &piece, bytes, operation, bytes);
    } else {
      Range r = range_in(w, &piece, 0, lane, to, bytes);
      access(&target, &r);
    }
    mbarrier_transact(w, instruction, lane, owner, m, -(i64)bytes);
  }
}

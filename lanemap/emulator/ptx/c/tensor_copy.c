/* What a thread hands to the tensor core, apart from mma: tcgen05.cp, shift and commit.
 *
 * Data moves when the instruction is issued; that it is not guaranteed to have moved before the
 * mbarrier of a commit is what the order of cells and of shared memory holds (tensor_order.c).
 */
#include "clocks.h"
#include "events.h"
#include "mbarrier.h"
#include "ptx_cta.h"
#include "shared_layout.h"

#define CHUNK_BYTES 16
#define SHIFT_COLUMNS 8 /* no table has more cells than so many columns */

/* Read `rows` rows of `bytes` bytes of a CTA's shared memory through the async proxy. */
static void read_source(const Access *a, u32 lane, Cta *owner, const SharedLayout *s, u32 rows,
                        u32 bytes, Moved *m) {
  Access shared = *a;
  shared.space = SPACE_SHARED;
  shared.kind = ACCESS_LOAD;
  shared.memory = &owner->shared;
  tell_bytes(&shared, 1ull << lane, rows * bytes);
  for (u32 row = 0; row < rows; row++)
    for (u32 chunk = 0; chunk < bytes / CHUNK_BYTES; chunk++) {
      u64 from = element_place(s, row, chunk * CHUNK_BYTES) / 8;
      u32 at = row * bytes + chunk * CHUNK_BYTES;
      Range r = {from, CHUNK_BYTES, 0, lane, m->data + at, 0, 0, 0};
      if (a->w->launch->precise) r.undefined = m->undefined + at, r.origin = m->origin + at;
      if (from + CHUNK_BYTES <= owner->shared.size) {
        access(&shared, &r);
        continue;
      }
      out_of_bounds(&shared, lane, owner->shared.base + from, CHUNK_BYTES);
      fill_bytes(m->data + at, 0, CHUNK_BYTES);
      fill_bytes(m->undefined + at, 0, CHUNK_BYTES);
    }
}

/* A table's cells, on behalf of one lane of the warp. */
static int access_cells(const Access *a, u32 lane, const Cta *cta, const Table *t, u32 first,
                        u32 column, Moved *m) {
  i32 lanes[TENSOR_LANES * SHIFT_COLUMNS];
  Table mine = *t;
  for (u32 i = 0; i < t->cells; i++) lanes[i] = (i32)lane;
  mine.lanes = lanes;
  tell_bytes(a, 1ull << lane, t->cells * 4);
  return access_runs(a, cta, &mine, first, column, TENSOR_LANES, 0, m);
}

/* tcgen05.cp by each lane of the mask: taddr in row, descriptor in rows row + 1 and row + 2. */
void lm_tensor_copy(Wave *w, u32 instruction, u64 mask, u32 row, u32 table, u32 rows, u32 columns,
                    u32 pair) {
  Moved from, to;
  Table t = table_of(w, table);
  for (u64 left = mask; left; left &= left - 1) {
    SharedLayout s;
    u32 lane = lowest(left), taddr = w->value[row][lane];
    u64 descriptor = w->value[row + 1][lane] | (u64)w->value[row + 2][lane] << 32;
    if (taddr >> 16) report_rule(w, instruction, 1ull << lane, RULE_COPY_LANE, taddr >> 16, 0, 0);
    if (!read_descriptor(w, instruction, lane, descriptor, 0, 8, &s)) continue;
    for (u32 other = 0; other <= pair; other++) {
      Cta *cta = other ? tensor_peer(w, instruction) : w->cta;
      if (!cta) continue;
      Access a =
          tensor_access(w, ptx_cta(cta)->tensor, instruction, AGENT_ENGINE, ACCESS_STORE, !other);
      tensor_issued(w, lane, 1);
      read_source(&a, lane, cta, &s, rows, columns * 4, &from);
      follow(w, &t, t.cells, &from, &to, EMPTY_ZERO, 0);
      access_cells(&a, lane, cta, &t, 0, taddr & 0xffff, &to);
    }
  }
}

/* tcgen05.shift.down by each lane of the mask: taddr in row. The table has for each of 32 lanes
 * and 8 columns and element the element that it receives. */
void lm_tensor_shift(Wave *w, u32 instruction, u64 mask, u32 row, u32 table, u32 pair) {
  Moved from, to;
  Table t = table_of(w, table);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), first = w->value[row][lane] >> 16,
        column = w->value[row][lane] & 0xffff;
    if (first % WARP_LANES || first >= TENSOR_LANES) {
      report_rule(w, instruction, 1ull << lane, RULE_SHIFT_LANE, first, 0, 0);
      continue;
    }
    for (u32 other = 0; other <= pair; other++) {
      Cta *cta = other ? tensor_peer(w, instruction) : w->cta;
      if (!cta) continue;
      Access a =
          tensor_access(w, ptx_cta(cta)->tensor, instruction, AGENT_ENGINE, ACCESS_LOAD, !other);
      tensor_issued(w, lane, 0);
      if (!access_cells(&a, lane, cta, &t, first, column, &from)) continue;
      tensor_after_copies(w, cta, instruction, lane, first, column, SHIFT_COLUMNS);
      follow(w, &t, t.cells, &from, &to, EMPTY_ZERO, 0);
      a.kind = ACCESS_STORE;
      access_cells(&a, lane, cta, &t, first, column, &to);
    }
  }
}

/* One arrival for all operations of the warp up to number `until` that the lane's commit stands
 * for, with what the warp knows: it implies fence::before_thread_sync (PTX ISA, tcgen05.commit). */
static void commit_to(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u64 until) {
  Cta *owner;
  Mbarrier *m = mbarrier_find(w, instruction, lane, space, address, &owner);
  if (!m) return;
  u64 *clock = mbarrier_gathering(owner, m);
  lm_publish(w, clock);
  u64 *done = clock_part(w->group, clock, CLOCK_FENCED + CLOCK_DONE);
  u64 *over = clock_part(w->group, clock, CLOCK_OVER + AGENT_ENGINE - AGENT_LOAD);
  if (done[w->member] < until) done[w->member] = until;
  complete_to(w, &over[w->member], AGENT_ENGINE, until, DIRECTION_STORE);
  Arrival *last = &mbarrier_arrivals(owner, m)[w->member];
  last->commit = w->sequence[1];
  last->operations = until;
  last->lanes[1] = 1u << lane;
  last->instructions[1] = instruction;
  mbarrier_arrive(w, instruction, lane, owner, m, 1);
}

/* Where the address of a commit points that names no state space. Triton up to 3.6 writes 32-bit
 * addresses of shared memory there; by the ISA such a generic address points to none. */
static u32 commit_space(Wave *w, u32 space, u64 address) {
  return space == SPACE_GENERIC && !(address >> 32) && !w->launch->strict ? SPACE_CLUSTER : space;
}

void lm_tensor_fence(Wave *w, u64 mask, u32 after);

/* tcgen05.commit by each lane of the mask: the address in `address`; with `multicast` row has a
 * mask of CTAs, whose objects lie at the same offset. */
void lm_tensor_commit(Wave *w, u32 instruction, u32 space, u64 mask, u32 row, u32 multicast) {
  Group *g = w->group;
  lm_tensor_fence(w, mask, 0);
  w->sequence[1]++;
  for (u32 lane = 0; lane < WARP_LANES; lane++) {
    u64 address = w->address[lane];
    if (!(mask >> lane & 1)) continue;
    u64 until = tensor_committed(w, lane);
    if (!multicast) {
      commit_to(w, instruction, lane, commit_space(w, space, address), address, until);
      continue;
    }
    u64 offset;
    u32 ctas = w->value[row][lane] & 0xffff;
    if (!ctas || ctas >> g->cta_count)
      report_rule(w, instruction, 1ull << lane, RULE_COMMIT_CTAS, ctas, g->cta_count, 0);
    Memory *m = memory_at(w, commit_space(w, space, address), address, MBARRIER_BYTES, &offset);
    if (!m || m->space != SPACE_SHARED) {
      Access shared = {w, instruction, SPACE_SHARED, 0, 1, {0, 0}, 0};
      out_of_bounds(&shared, lane, address, MBARRIER_BYTES);
      continue;
    }
    for (u32 i = 0; i < g->cta_count; i++)
      if (ctas >> i & 1)
        commit_to(w, instruction, lane, SPACE_CLUSTER, g->ctas[i]->shared.base + offset, until);
  }
}

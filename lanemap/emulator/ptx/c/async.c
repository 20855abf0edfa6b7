/* Accesses of asynchronous operations (async.h). */
#include "async.h"
#include "events.h"
#include "lane_order.h"
#include "mbarrier.h"
#include "rule_numbers.h"
#include "rules.h"

void needs_cluster(Wave *w, u32 instruction, u64 lanes) {
  if (lanes && w->group->cta_count < 2) report_rule(w, instruction, lanes, RULE_ALONE, 0, 0, 0);
}

Mbarrier *mbarrier_of(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u64 to, u32 size,
                      Cta **owner) {
  u64 offset;
  Mbarrier *m = mbarrier_find(w, instruction, lane, space, address, owner);
  const Memory *there = m ? memory_at(w, space, to, size, &offset) : 0;
  if (there && there->owner && there->owner != *owner)
    report_rule(w, instruction, 1ull << lane, RULE_BULK_MBARRIER, (*owner)->rank,
                there->owner->rank, 0);
  return m;
}

Access async_access(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align) {
  return (Access){w, instruction, space, kind, align, {stamp, stamp}, 0};
}

Access begin_engine(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align, u32 lane,
                    u64 bytes) {
  Access a = async_access(w, instruction, stamp, space, kind, align);
  tell_bytes(&a, 1ull << lane, bytes);
  return a;
}

int read_bulk(const Access *a, const Range *r) {
  if (a->w->launch->lane_order == LANES_ALWAYS) lanes_read(a, 1ull << r->lane, r->address, r->size);
  return access(a, r);
}

Range range_in(const Wave *w, Piece *piece, u32 at, u32 lane, u64 address, u32 size) {
  Range r = {address, size, 0, lane, piece->data + at, 0, 0, 0};
  if (w->launch->precise) r.undefined = piece->undefined + at, r.origin = piece->origin + at;
  return r;
}

/* clusterlaunchcontrol (PTX ISA, Parallel Synchronization and Communication Instructions). */
#include "async.h"
#include "completion.h"
#include "ptx_cta.h"
#include "ptx_mbarrier.h"

/* A response, which is opaque to kernels: the first CTA's x, y and z, and whether a cluster was
 * canceled. */
enum { RESPONSE_BYTES = 16, RESPONSE_CANCELED = 3 };

/* The response reaches one CTA, and completes bytes of its mbarrier. */
static void respond(Wave *w, u32 instruction, u32 lane, Cta *to, u64 address, u64 barrier,
                    const u32 *response) {
  Cta *owner;
  Piece piece;
  u64 rank = (u64)to->rank << RANK_SHIFT, in_cta = (1ull << RANK_SHIFT) - 1;
  address = (address & in_cta) | rank;
  Mbarrier *m = mbarrier_of(w, instruction, lane, SPACE_CLUSTER, (barrier & in_cta) | rank, address,
                            RESPONSE_BYTES, &owner);
  if (!m) return;
  check_begun(w, instruction, lane, owner, m);
  u64 stamp = next_transaction(w, instruction, lane, owner, m);
  Access a = begin_engine(w, instruction, stamp, SPACE_CLUSTER, ACCESS_STORE, RESPONSE_BYTES, lane,
                          RESPONSE_BYTES);
  Range r = range_in(w, &piece, 0, lane, address, RESPONSE_BYTES);
  copy_bytes(piece.data, (const u8 *)response, RESPONSE_BYTES);
  fill_bytes(piece.undefined, 0, RESPONSE_BYTES);
  access(&a, &r);
  if (!response[RESPONSE_CANCELED]) ptx_cta(to)->refusal = stamp;
  mbarrier_transact(w, instruction, lane, owner, m, -RESPONSE_BYTES);
}

/* Does the wave know that an earlier request of its CTA was refused? */
static int knows_refusal(const Wave *w) {
  u64 stamp = ptx_cta(w->cta)->refusal;
  return stamp &&
         clock_slots(w->group, times_of(w))[stamp_member(stamp)] >= (stamp & SEQUENCE_MASK);
}

/* try_cancel by each lane of a mask: where the response goes in `address`, mbarrier in rows 0
 * and 1; with `multicast` every CTA of the cluster gets it at the same offset. */
void lm_try_cancel(Wave *w, u32 instruction, u64 mask, u32 space, u32 multicast) {
  const Group *g = w->group;
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), response[4] = {0}, position[POSITIONS];
    u64 offset, address = w->address[lane];
    const Memory *there = memory_at(w, space, address, RESPONSE_BYTES, &offset);
    if (!there || there->owner != w->cta) {
      Access a = async_access(w, instruction, 0, SPACE_SHARED, ACCESS_STORE, 1);
      out_of_bounds(&a, lane, address & 0xffffffff, RESPONSE_BYTES);
      continue;
    }
    if (knows_refusal(w)) report_rule(w, instruction, 1ull << lane, RULE_CANCEL_AGAIN, 0, 0, 0);
    u64 number = take_cluster(w->launch), barrier = address_in(w, 0, lane);
    if (number != ~0ull) {
      cta_position(w->launch, number, 0, position);
      copy_bytes((u8 *)response, (const u8 *)(position + POSITION_CTA_X), 3 * sizeof(u32));
      response[RESPONSE_CANCELED] = 1;
    }
    for (u32 i = 0; i < g->cta_count; i++) {
      if (!multicast && g->ctas[i] != w->cta) continue;
      respond(w, instruction, lane, g->ctas[i], address, barrier, response);
    }
  }
}

/* query_cancel: of the response in rows 0 to 3, whether a cluster was canceled to row 0, or else
 * its first CTA to rows 0 to 2, which is undefined if none was. */
void lm_query_cancel(Wave *w, u32 instruction, u64 mask, u32 canceled) {
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), yes = w->value[RESPONSE_CANCELED][lane], unknown = 0, origin = 0;
    for (u32 row = 0; row < 4; row++) {
      if (w->undefined[row][lane] && !unknown && w->launch->precise) origin = w->origin[row][lane];
      unknown |= w->undefined[row][lane];
    }
    if (!canceled && !unknown && !yes) {
      unknown = ~0u;
      origin = lm_origin(w, ORIGIN_LEFT, instruction, lane, SPACE_SHARED, 0);
    }
    if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    if (canceled) w->value[0][lane] = yes;
    for (u32 row = 0; row < 3; row++)
      w->undefined[row][lane] = unknown ? ~0u : 0, w->origin[row][lane] = origin;
  }
}

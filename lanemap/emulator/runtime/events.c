/* Counts and traces of what a launch does: see events.h. */
#include "events.h"

static u32 ones(u64 bits) { return (u32)__builtin_popcountll(bits); }

/* -- operations: called by generated code ----------------------------------------------------------- */

void lm_count_block(Wave *w, u32 block, u64 lanes) {
  Events *e = w->launch->events;
  e->blocks[block]++;
  e->block_lanes[block] += ones(lanes);
}

/* Count an operation whose active lanes differ from those at the start of its block. */
void lm_count_lanes(Wave *w, u32 operation, u64 lanes, u64 began_with) {
  w->launch->events->lanes[operation] += (i64)ones(lanes) - (i64)ones(began_with);
}

static Event *next_event(Wave *w, u32 operation, u64 lanes) {
  Events *e = w->launch->events;
  if (e->trace_count >= e->trace_most) {
    e->trace_lost = 1;
    return 0;
  }
  Event *event = &e->trace[e->trace_count++];
  *event = (Event){.group = w->group->number - w->launch->first_group, .lanes = lanes,
                   .member = w->member, .operation = operation};
  if (e->trace_count > e->trace_room) w->launch->interrupted = 1;
  return event;
}

void lm_trace(Wave *w, u32 operation, u64 lanes) { next_event(w, operation, lanes); }

/* -- accesses --------------------------------------------------------------------------------------- */

static Traffic *traffic_of(const Events *e, u32 operation, u32 space, u32 direction) {
  return &e->traffic[((u64)operation * SPACES + space) * DIRECTIONS + direction];
}

/* The space that a lane accesses. The upper half of a generic address names it. The CTA's own part of
 * cluster memory counts as shared memory. */
static u32 space_of(const Wave *w, u32 space, u64 address) {
  const Launch *l = w->launch;
  if (space == SPACE_GENERIC) {
    if (address >> 32 == l->private_aperture) return SPACE_PRIVATE;
    if (address >> 32 != l->shared_aperture) return SPACE_GLOBAL;
    space = SPACE_CLUSTER;
  }
  if (space == SPACE_CLUSTER && (address & 0xffffffff) >> RANK_SHIFT == w->cta->rank) return SPACE_SHARED;
  return space;
}

/* Sort the addresses of the lanes of `mask`; return how many there are. */
static u32 in_order(const Wave *w, u64 mask, u64 *out) {
  u32 count = 0;
  for (; mask; mask &= mask - 1) {
    u64 address = w->address[__builtin_ctzll(mask)];
    u32 at = count++;
    for (; at && out[at - 1] > address; at--) out[at] = out[at - 1];
    out[at] = address;
  }
  return count;
}

/* How many aligned pieces of 1 << shift bytes the lanes touch. */
static u32 pieces(const u64 *address, u32 count, u32 size, u32 shift) {
  u64 next = 0;
  u32 found = 0;
  for (u32 i = 0; i < count; i++) {
    u64 first = address[i] >> shift, last = (address[i] + size - 1) >> shift;
    if (first < next) first = next;
    if (last < first) continue;
    found += (u32)(last - first) + 1;
    next = last + 1;
  }
  return found;
}

/* Passes that one phase takes: the largest number of different words in one bank. */
static u32 passes_of(const u64 *address, u32 count, u32 size, u32 banks) {
  u8 words[MOST_BANKS] = {0};
  u64 next = 0;
  u32 most = 0;
  for (u32 i = 0; i < count; i++) {
    u64 word = address[i] / 4, last = (address[i] + size - 1) / 4;
    for (word = word < next ? next : word; word <= last; word++) {
      u32 here = ++words[word % banks];
      if (here > most) most = here;
      next = word + 1;
    }
  }
  return most;
}

static const BankRule *rule_for(const Events *e, u32 size, u32 direction, u32 element_bits) {
  for (u64 i = 0; i < e->rule_count; i++) {
    const BankRule *r = &e->rules[i];
    if (r->direction == direction && r->element_bits == element_bits && r->least <= size && size <= r->most)
      return r;
  }
  return 0;
}

/* Whether each lane gives the address of the lane whose number differs by `by`, or one is inactive. */
static int agree(const Wave *w, u64 mask, u32 by) {
  for (u64 rest = mask; rest; rest &= rest - 1) {
    u32 lane = (u32)__builtin_ctzll(rest), other = lane ^ by;
    if (mask >> other & 1 && w->address[lane] != w->address[other]) return 0;
  }
  return 1;
}

static int phases_join(const Wave *w, const BankRule *rule, u64 mask) {
  for (u64 joining = rule->joining; joining; joining &= joining - 1)
    if (agree(w, mask, (u32)__builtin_ctzll(joining))) return 1;
  return 0;
}

static void judge(const Wave *w, const BankRule *rule, u64 mask, u32 size, u32 *passes, u32 *least) {
  u32 step = 1 + (u32)phases_join(w, rule, mask), served = 0;
  for (u32 i = 0; i < rule->phases; i += step) {
    u64 address[MAX_LANES];
    u64 lanes = rule->lanes[i] | (step == 2 && i + 1 < rule->phases ? rule->lanes[i + 1] : 0);
    u32 count = in_order(w, mask & lanes, address);
    *passes += passes_of(address, count, size, rule->banks);
    *least += rule->idle || count;
    served += count;
  }
  if (!served) *least = 0;
  if (*passes < *least) *passes = *least;
}

/* The event of an access: the operation's last event if that has no access yet, else a new one. */
static Event *event_of(Wave *w, u32 operation, u64 mask) {
  Events *e = w->launch->events;
  if (!e->trace) return 0;
  Event *last = e->trace_count ? &e->trace[e->trace_count - 1] : 0;
  if (last && last->operation == operation && last->member == w->member && !last->accessed) return last;
  return next_event(w, operation, mask);
}

static void count_in(Wave *w, u32 operation, u32 space, u64 mask, u32 size, u32 direction, u32 element_bits) {
  const Events *e = w->launch->events;
  u64 address[MAX_LANES];
  u32 count = in_order(w, mask, address), passes = 0, least = 0;
  const BankRule *rule = space == SPACE_SHARED ? rule_for(e, size, direction, element_bits) : 0;
  Traffic *t = traffic_of(e, operation, space, direction);
  t->accesses++;
  t->bytes += (u64)count * size;
  if (space == SPACE_GLOBAL) {
    t->sectors += pieces(address, count, size, SECTOR_SHIFT);
    t->blocks += pieces(address, count, size, BLOCK_SHIFT);
  }
  if (rule) {
    judge(w, rule, mask, size, &passes, &least);
    t->judged++;
    t->passes += passes;
    t->least += least;
  }
  Event *event = event_of(w, operation, mask);
  if (!event) return;
  event->accessed = 1;
  event->space = space;
  event->direction = direction;
  event->first = address[0];
  event->end = address[count - 1] + size;
  event->bytes = (u64)count * size;
  event->judged = rule != 0;
  event->passes = passes;
  event->least = least;
}

void count_access(Wave *w, u32 operation, u32 space, u64 mask, u32 size, u32 direction, u32 element_bits) {
  if (space != SPACE_GENERIC && space != SPACE_CLUSTER) {
    count_in(w, operation, space, mask, size, direction, element_bits);
    return;
  }
  u64 lanes[SPACES] = {0};
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = (u32)__builtin_ctzll(left);
    lanes[space_of(w, space, w->address[lane])] |= 1ull << lane;
  }
  for (u32 i = 0; i < SPACES; i++)
    if (lanes[i]) count_in(w, operation, i, lanes[i], size, direction, element_bits);
}

/* Count an access without lane addresses: by an engine, or to a memory with its own coordinates. */
void count_bytes(Wave *w, u32 operation, u32 space, u64 lanes, u64 bytes, u32 direction) {
  Traffic *t = traffic_of(w->launch->events, operation, space, direction);
  t->accesses++;
  t->bytes += bytes;
  Event *event = event_of(w, operation, lanes);
  if (!event) return;
  event->accessed = 1;
  event->space = space;
  event->direction = direction;
  event->bytes = bytes;
}

/* -- waits ------------------------------------------------------------------------------------------ */

void count_products(const Wave *w, u32 operation, u64 products) {
  if (w->launch->events) w->launch->events->products[operation] += products;
}

void count_wait(const Wave *w, u32 reason) { w->launch->events->waits[reason]++; }

static u32 awaited(const Wave *w) {
  u32 reason = REASON_BARRIER + (w->waiting ? w->barrier : 0);
  return reason < REASONS ? reason : REASONS - 1;
}

/* Count a turn of a waiting wave: as a wait where it `begins`, else as a turn that passed meanwhile. */
void count_turn(const Wave *w, u32 begins) {
  const Events *e = w->launch->events;
  if (begins) e->waits[awaited(w)]++;
  else e->turns[awaited(w)]++;
}

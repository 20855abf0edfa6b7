/* The events of a launch, and its counts, which are an observer of them: see events.h. */
#include "events.h"

static u32 ones(u64 bits) { return (u32)__builtin_popcountll(bits); }

/* -- operations: called by generated code ------------------------------------------------------ */

void lm_count_block(Wave *w, u32 block, u64 lanes) {
  Tally *t = &w->launch->events->tally;
  t->blocks[block]++;
  t->block_lanes[block] += ones(lanes);
}

/* Count an operation whose active lanes differ from those at the start of its block. */
void lm_count_lanes(Wave *w, u32 operation, u64 lanes, u64 began_with) {
  w->launch->events->tally.lanes[operation] += (i64)ones(lanes) - (i64)ones(began_with);
}

/* -- emission ---------------------------------------------------------------------------------- */

static Event event_of(const Wave *w, u32 happening, u32 operation) {
  const Launch *l = w->launch;
  u64 cluster = w->group->number - l->first_group, x = l->grid[0], y = l->grid[1], cta = cluster;
  if (w->group->cta_count > 1) {
    u32 rank = w->cta->rank, across = l->cluster[0], down = l->cluster[1];
    u64 at_x = cluster % x * across + rank % across,
        at_y = cluster / x % y * down + rank / across % down;
    u64 at_z = cluster / (x * y) * l->cluster[2] + rank / (across * down);
    cta = at_x + x * across * (at_y + y * down * at_z);
  }
  return (Event){.cta = (u32)cta,
                 .operation = operation,
                 .wave = (uint16_t)w->index,
                 .happening = (u8)happening};
}

/* Tell those who subscribed. Only what Python receives is kept. */
static void emit(const Wave *w, const Event *event, const u64 *address) {
  Events *e = w->launch->events;
  for (u64 i = 0; i < e->observer_count; i++)
    if (e->observers[i].watch >> event->happening & 1)
      e->observers[i].observe(e->observers[i].context, event, address);
  if (!(e->watch >> event->happening & 1)) return;
  if (e->count >= e->most) {
    e->lost = 1;
    return;
  }
  if (e->addresses && event->happening == HAPPENING_ACCESS) {
    u8 *kept = (u8 *)(e->addresses + e->count * MAX_LANES);
    if (address) copy_bytes(kept, (const u8 *)address, MAX_LANES * sizeof *address);
    else fill_bytes(kept, 0xff, MAX_LANES * sizeof *address);
  }
  e->records[e->count++] = *event;
  if (e->count > e->room) w->launch->interrupted = 1;
}

void lm_tell_issue(Wave *w, u32 operation, u64 lanes) {
  Event event = event_of(w, HAPPENING_ISSUE, operation);
  event.lanes = lanes;
  w->launch->events->issued = operation;
  emit(w, &event, 0);
}

static Event access_event(const Access *a, u32 space, u32 direction, u64 lanes, u64 bytes) {
  u64 stamp = a->stamps[space != SPACE_GLOBAL];
  Event event = event_of(a->w, HAPPENING_ACCESS, a->instruction);
  event.lanes = lanes;
  event.bytes = (u32)bytes;
  event.space = (u8)space;
  event.direction = (u8)direction;
  event.agent = (u8)stamp_agent(stamp);
  event.sequence = stamp & SEQUENCE_MASK;
  event.object = event.agent == AGENT_BARRIER ? stamp_member(stamp) + 1 : 0;
  return event;
}

static u32 direction_of(u32 kind) {
  u32 both = ACCESS_LOAD | ACCESS_STORE;
  if (kind & ACCESS_ATOMIC && (kind & both) == both) return DIRECTION_ATOMIC;
  return kind & ACCESS_STORE ? DIRECTION_STORE : DIRECTION_LOAD;
}

/* -- accesses ---------------------------------------------------------------------------------- */

/* The space that a lane accesses. The upper half of a generic address names it. The CTA's own
 * part of cluster memory counts as shared memory. */
static u32 space_of(const Wave *w, u32 space, u64 address) {
  if (space == SPACE_GENERIC) {
    if (address >> 32 == PRIVATE_APERTURE) return SPACE_PRIVATE;
    if (address >> 32 != SHARED_APERTURE) return SPACE_GLOBAL;
    space = SPACE_CLUSTER;
  }
  if (space == SPACE_CLUSTER && (address & 0xffffffff) >> RANK_SHIFT == w->cta->rank)
    return SPACE_SHARED;
  return space;
}

/* Sort the addresses of the lanes of `mask`; return how many there are. */
static u32 in_order(const u64 *given, u64 mask, u64 *out) {
  u32 count = 0;
  for (; mask; mask &= mask - 1) {
    u64 address = given[lowest(mask)];
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
    if (r->direction == direction && r->element_bits == element_bits && r->least <= size &&
        size <= r->most)
      return r;
  }
  return 0;
}

/* Whether each lane gives the address of the lane whose number differs by `by`, or one is
 * inactive. */
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

static void judge(const Wave *w, const BankRule *rule, u64 mask, u32 size, u32 *passes,
                  u32 *least) {
  u32 step = 1 + (u32)phases_join(w, rule, mask), served = 0;
  for (u32 i = 0; i < rule->phases; i += step) {
    u64 address[MAX_LANES];
    u64 lanes = rule->lanes[i] | (step == 2 && i + 1 < rule->phases ? rule->lanes[i + 1] : 0);
    u32 count = in_order(w->address, mask & lanes, address);
    *passes += passes_of(address, count, size, rule->banks);
    *least += rule->idle || count;
    served += count;
  }
  if (!served) *least = 0;
  if (*passes < *least) *passes = *least;
}

/* The lanes of `mask` access one space. */
static void tell_space(const Access *a, u32 space, u64 mask, u32 size, u32 element_bits) {
  const Events *e = a->w->launch->events;
  u32 passes = 0, least = 0, direction = direction_of(a->kind);
  const BankRule *rule = space == SPACE_SHARED ? rule_for(e, size, direction, element_bits) : 0;
  Event event = access_event(a, space, direction, mask, (u64)ones(mask) * size);
  event.first = ~0ull;
  for (u64 left = mask; left; left &= left - 1) {
    u64 address = a->w->address[lowest(left)];
    event.first = address < event.first ? address : event.first;
    event.end = address + size > event.end ? address + size : event.end;
  }
  if (rule) {
    judge(a->w, rule, mask, size, &passes, &least);
    event.judged = 1;
    event.passes = (uint16_t)passes;
    event.least = (uint16_t)least;
  }
  emit(a->w, &event, a->w->address);
}

void lanes_told(const Access *a, u64 mask, u32 size, u32 element_bits) {
  if (a->space != SPACE_GENERIC && a->space != SPACE_CLUSTER) {
    tell_space(a, a->space, mask, size, element_bits);
    return;
  }
  u64 lanes[SPACES] = {0};
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    lanes[space_of(a->w, a->space, a->w->address[lane])] |= 1ull << lane;
  }
  for (u32 i = 0; i < SPACES; i++)
    if (lanes[i]) tell_space(a, i, lanes[i], size, element_bits);
}

void reads_told(const Access *a, u64 lanes, const u64 *address, u64 bytes) {
  Event event = access_event(a, a->space, DIRECTION_LOAD, lanes, bytes);
  emit(a->w, &event, lanes ? address : 0);
}

/* An engine's access to the shared memory of any CTA of the cluster is one to shared memory. */
void bytes_told(const Access *a, u64 lanes, u64 bytes) {
  u32 space = a->memory ? a->memory->space : a->space == SPACE_CLUSTER ? SPACE_SHARED : a->space;
  u32 reads_and_writes =
      (a->kind & (ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC)) == (ACCESS_LOAD | ACCESS_STORE);
  Event event = access_event(a, space, reads_and_writes ? DIRECTION_LOAD : direction_of(a->kind),
                             lanes, bytes);
  emit(a->w, &event, 0);
  if (!reads_and_writes) return;
  event.direction = DIRECTION_STORE;
  emit(a->w, &event, 0);
}

void completion_told(const Wave *w, u32 agent, u32 object, u64 sequence, u32 direction) {
  Event event = event_of(w, HAPPENING_COMPLETE, (u32)w->launch->events->issued);
  event.lanes = w->active;
  event.agent = (u8)agent;
  event.object = object;
  event.sequence = sequence;
  event.direction = (u8)direction;
  emit(w, &event, 0);
}

/* -- barriers --------------------------------------------------------------------------------- */

void act_told(const Wave *w, u32 operation, u64 lanes, Acting did) {
  Event event = event_of(w, HAPPENING_BARRIER, operation);
  event.lanes = lanes;
  event.first = did.place;
  event.end = did.rank;
  event.bytes = did.amount;
  event.reason = did.act;
  event.sequence = did.phase;
  emit(w, &event, 0);
}

/* -- waits ------------------------------------------------------------------------------------- */

void wait_told(const Wave *w, u32 reason) {
  Event event = event_of(w, HAPPENING_WAIT, (u32)w->launch->events->issued);
  event.lanes = w->active;
  event.reason = reason;
  emit(w, &event, 0);
}

static u32 awaited(const Wave *w) {
  u32 reason = REASON_BARRIER + (w->waiting ? w->barrier : 0);
  return reason < REASONS ? reason : REASONS - 1;
}

void turn_told(const Wave *w, u32 begins) {
  if (begins) wait_told(w, awaited(w));
  else w->launch->events->tally.turns[awaited(w)]++;
}

/* -- counts, an observer ----------------------------------------------------------------------- */

/* Count an event; `tally` is that of Events. */
void lm_count(Tally *tally, const Event *event, const u64 *address) {
  if (event->happening == HAPPENING_WAIT) {
    tally->waits[event->reason]++;
    return;
  }
  Traffic *t = &tally->traffic[((u64)event->operation * SPACES + event->space) * DIRECTIONS +
                               event->direction];
  t->accesses++;
  t->bytes += event->bytes;
  t->judged += event->judged;
  t->passes += event->passes;
  t->least += event->least;
  if (!address || event->space != SPACE_GLOBAL) return;
  u64 sorted[MAX_LANES];
  u32 count = in_order(address, event->lanes, sorted), size = event->bytes / count;
  t->sectors += pieces(sorted, count, size, SECTOR_SHIFT);
  t->blocks += pieces(sorted, count, size, BLOCK_SHIFT);
}

void count_products(const Wave *w, u32 operation, u64 products) {
  if (w->launch->events) w->launch->events->tally.products[operation] += products;
}

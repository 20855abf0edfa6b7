/* The one way to memory: see access.h. */
#include "access.h"
#include "bits.h"
#include "memory_model.h"
#include "rules.h"

static void next_number(Wave *w, u32 space) {
  if (space == SPACE_GLOBAL || space == SPACE_GENERIC) w->sequence[0]++;
  if (space != SPACE_GLOBAL && space != SPACE_PRIVATE) w->sequence[1]++;
}

Access begin_access(Wave *w, u32 instruction, u32 space, u32 kind, u32 align) {
  next_number(w, space);
  Access a = {
      w,     instruction,
      space, kind,
      align, {stamp_of(w, AGENT_GLOBAL, w->sequence[0]), stamp_of(w, AGENT_SHARED, w->sequence[1])},
      0};
  if (kind & ACCESS_COPY)
    a.stamps[1] = stamp_of(w, AGENT_COPY, ++w->engine_sequence[AGENT_COPY - AGENT_LOAD]);
  if (kind & ACCESS_APART && kind & ACCESS_STORE)
    a.stamps[0] = stamp_of(w, AGENT_BULK, ++w->engine_sequence[AGENT_BULK - AGENT_LOAD]);
  if (w->launch->log) {
    if (space == SPACE_GLOBAL || space == SPACE_GENERIC) log_access(w, a.stamps[0], instruction);
    if (space != SPACE_GLOBAL && space != SPACE_PRIVATE) log_access(w, a.stamps[1], instruction);
  }
  return a;
}

static Memory *global_at(Wave *w, u64 address) {
  Launch *l = w->launch;
  u64 i = w->last_region;
  if (i < l->memory_count && address - l->memories[i].base < l->memories[i].size)
    return &l->memories[i];
  u64 low = 0, high = l->memory_count;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (l->memories[middle].base <= address) low = middle + 1;
    else high = middle;
  }
  if (!low || address - l->memories[low - 1].base >= l->memories[low - 1].size) return 0;
  w->last_region = low - 1;
  return &l->memories[low - 1];
}

Memory *memory_at(Wave *w, u32 space, u64 address, u64 size, u64 *offset) {
  Memory *m = &w->cta->shared;
  if (space == SPACE_GENERIC) {
    space = SPACE_GLOBAL;
    if (address >> 32 == SHARED_APERTURE) space = SPACE_CLUSTER, address &= 0xffffffffull;
    else if (address >> 32 == PRIVATE_APERTURE) space = SPACE_PRIVATE, address &= 0xffffffffull;
  }
  if (space == SPACE_GLOBAL) m = global_at(w, address);
  else if (space == SPACE_PRIVATE) m = &w->private;
  else if (space == SPACE_CLUSTER) {
    u64 rank = address >> RANK_SHIFT;
    if (rank >= w->group->cta_count) return 0;
    m = &w->group->ctas[rank]->shared;
  }
  if (!m) return 0;
  u64 bytes = space == SPACE_PRIVATE ? w->private_size : m->size;
  *offset = address - m->base;
  return *offset <= bytes && size <= bytes - *offset ? m : 0;
}

COLD void out_of_bounds(const Access *a, u32 lane, u64 address, u64 size) {
  HazardRecord *h = lm_hazard(a->w, HAZARD_OUT_OF_BOUNDS, a->instruction, 1ull << lane);
  h->space = a->space;
  h->address = address;
  h->size = size;
  h->info[0] = a->w->group->cta_count;
  h->info[1] = a->w->cta->rank;
}

COLD void misaligned(const Access *a, u32 lane, u64 address, u64 size) {
  HazardRecord *h = lm_hazard(a->w, HAZARD_MISALIGNED, a->instruction, 1ull << lane);
  h->space = a->space;
  h->address = address;
  h->size = size;
}

COLD static void read_only(const Access *a, const Range *r) {
  HazardRecord *h = lm_hazard(a->w, HAZARD_READ_ONLY, a->instruction, 1ull << r->lane);
  h->address = r->address;
  h->size = r->size;
}

/* -- definedness ------------------------------------------------------------------------------- */

void define(Wave *w, Memory *m, u64 offset, u64 size) {
  define_at(m, offset, size, locks_lines(w->launch, m));
}

static u8 undefined_bits(const Memory *m, u64 at) {
  if (m->pages[at >> PAGE_SHIFT] & PAGE_DEFINED || m->defined[at >> 6] >> (at & 63) & 1) return 0;
  return m->partial ? (u8)~m->partial[at] : 0xff;
}

/* From now on the page's bits tell which bytes are defined. */
void use_bits(Memory *m, u64 page) {
  if (!(m->pages[page] & PAGE_DEFINED)) return;
  u64 bytes = m->size - page * PAGE_BYTES;
  set_all(m->defined, page * PAGE_BYTES, bytes < PAGE_BYTES ? bytes : PAGE_BYTES, 0);
  m->pages[page] &= ~(u32)PAGE_DEFINED;
}

void set_undefined(Memory *m, u64 at, u8 undefined, u32 origin) {
  u64 bit = 1ull << (at & 63);
  if (!undefined) {
    m->defined[at >> 6] |= bit;
    return;
  }
  m->defined[at >> 6] &= ~bit;
  if (!m->partial) return;
  m->partial[at] = (u8)~undefined;
  m->origin[at] = origin;
}

void undefine(const Access *a, u32 lane, Memory *m, u64 offset, u64 size) {
  for (u64 i = offset; i < offset + size; i++) {
    u32 origin = lm_origin(a->w, ORIGIN_LEFT, a->instruction, lane, m->space, m->base + i);
    if (!page_ready(m, i >> PAGE_SHIFT, 1)) touch_page(a->w, m, i >> PAGE_SHIFT, 1);
    use_bits(m, i >> PAGE_SHIFT);
    set_undefined(m, i, 0xff, origin);
  }
}

/* The address that reports give for a byte: the one that an instruction of the memory's own
 * space uses. */
static u64 named_address(const Memory *m, const Range *r, u64 offset, u32 i) {
  if (m->space == SPACE_ENGINE || (m->space == SPACE_SHARED && m->owner))
    return m->base + offset + i;
  return m->space == SPACE_GLOBAL ? r->address + i : (r->address + i) & 0xffffffff;
}

/* Read the undefined bits of a load and their origins. Fast code stops the launch if there are
 * any. */
COLD static void load_undefined(const Access *a, const Range *r, const Memory *m, u64 offset) {
  Wave *w = a->w;
  if (!w->launch->precise || !r->undefined) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  u32 made = 0;
  for (u32 i = 0; i < r->size; i++) {
    if (r->each && i % r->each == 0) made = 0;
    r->undefined[i] = undefined_bits(m, offset + i);
    r->origin[i] = 0;
    if (!r->undefined[i]) continue;
    u32 known = m->origin ? m->origin[offset + i] : 0, lane = lane_of(r, i);
    if (!known && !made)
      made = lm_origin(w, ORIGIN_MEMORY, a->instruction, lane, m->space,
                       named_address(m, r, offset, i));
    r->origin[i] = known ? known : made;
  }
}

COLD static void store_undefined(const Access *a, const Range *r, Memory *m, u64 offset) {
  Wave *w = a->w;
  if (!w->launch->precise) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  for (u32 i = 0; i < r->size; i++) {
    u32 origin = r->undefined[i] ? r->origin[i] : 0, lane = lane_of(r, i);
    use_bits(m, (offset + i) >> PAGE_SHIFT);
    /* the host may read global memory; its report names the instruction that stored undefined
     * bytes */
    if (origin && m->space == SPACE_GLOBAL)
      origin = lm_origin(w, ORIGIN_STORE, a->instruction, lane, SPACE_GLOBAL, origin);
    set_undefined(m, offset + i, r->undefined[i], origin);
  }
}

static int any_undefined(const Range *r) {
  u8 any = 0;
  for (u32 i = 0; r->undefined && i < r->size; i++) any |= r->undefined[i];
  return any;
}

/* Report a store to global memory of bits that were read in a race. */
COLD static void race_stored(const Access *a, const Range *r, u64 address) {
  for (u32 i = 0; r->origin && i < r->size; i++)
    if (r->undefined[i])
      race_stores(a->w, a->instruction, lane_of(r, i), r->origin[i], address + i);
}

/* -- words with unused bits -------------------------------------------------------------------- */

/* The bytes of 16 words in which a mask has bits. */
static u64 used_bytes(u32 used) {
  u64 bytes = 0;
  for (u32 i = 0; i < 4; i++)
    if (used >> 8 * i & 0xff) bytes |= 0x1111111111111111ull << i;
  return bytes;
}

/* Bits of the 64 bytes from `at` on that lie in from .. to - 1. */
static u64 bytes_within(u64 at, u64 from, u64 to) {
  u64 bits = ~0ull;
  if (from > at) bits &= ~0ull << (from - at);
  if (to < at + 64) bits &= ~0ull >> (at + 64 - to);
  return bits;
}

void check_used(const Access *a, const Range *r, const Memory *m, u64 offset, u32 used) {
  u64 wanted = used_bytes(used), to = offset + r->size;
  if (r->undefined) fill_bytes(r->undefined, 0, r->size);
  for (u64 at = offset & ~63ull; at < to; at += 64) {
    if (m->pages[at >> PAGE_SHIFT] & PAGE_DEFINED ||
        !(wanted & bytes_within(at, offset, to) & ~m->defined[at >> 6]))
      continue;
    load_undefined(a, r, m, offset);
    for (u32 i = 0; r->undefined && i < r->size; i++)
      r->undefined[i] &= (u8)(used >> (offset + i) % 4 * 8);
    return;
  }
}

void define_used(const Access *a, u32 lane, Memory *m, u64 offset, u64 size, u32 used) {
  u64 written = used_bytes(used), to = offset + size;
  u32 origin = m->origin
                   ? lm_origin(a->w, ORIGIN_LEFT, a->instruction, lane, m->space, m->base + offset)
                   : 0;
  for (u64 at = offset & ~63ull; at < to; at += 64) {
    u64 here = bytes_within(at, offset, to);
    use_bits(m, at >> PAGE_SHIFT);
    m->defined[at >> 6] = (m->defined[at >> 6] | (here & written)) & ~(here & ~written);
  }
  for (u64 i = offset; m->partial && i < to; i++)
    if (!(written >> i % 4 & 1)) m->partial[i] = 0, m->origin[i] = origin;
}

/* -- one range --------------------------------------------------------------------------------- */

/* Access a range lane by lane: a hazard then names its lane, and other lanes go on. */
COLD static int by_lane(const Access *a, const Range *r) {
  int good = 1;
  for (u32 i = 0; i < r->size; i += r->each) {
    Range one = *r;
    one.address += i;
    one.size = r->each;
    one.lane = lane_of(r, i);
    one.lanes = 0;
    one.data += i;
    if (r->undefined) one.undefined += i, one.origin += i;
    good &= access(a, &one);
  }
  return good;
}

static int refuse(const Access *a, const Range *r) {
  if (a->kind & ACCESS_LOAD && r->data) {
    fill_bytes(r->data, 0, r->size);
    if (r->undefined) fill_bytes(r->undefined, 0, r->size);
  }
  return 0;
}

/* A wave accesses another CTA's shared memory, or an asynchronous operation writes that of its
 * own: that CTA must not have ended, and must not end before something orders its end after the
 * access (lm_leave). A flag, which an atomic or relaxed store sets, is itself what the owner may
 * wait for, and so is a barrier object. */
static void visit(const Access *a, u32 lane, Cta *owner, u64 offset) {
  const Group *g = owner->group;
  u64 stamp = a->stamps[1], members = g->member_count;
  u64 *of_member = owner->visits + a->w->member, *flags = of_member + members + g->slots;
  u64 visited = (u64)a->instruction << 32 | a->w->sequence[1];
  if (stamp_agent(stamp) == AGENT_BARRIER)
    owner->visits[members + stamp_member(stamp)] =
        (u64)a->instruction << 32 | (stamp & SEQUENCE_MASK);
  else if (a->kind & ACCESS_STORE && a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED))
    flags[0] = visited, flags[members] = offset;
  else if (!(a->kind & ACCESS_OBJECT)) *of_member = visited;
  if (owner->live) return;
  HazardRecord *h = lm_hazard(a->w, HAZARD_ENDED, a->instruction, 1ull << lane);
  h->info[0] = owner->rank;
  h->info[1] = ENDED_BEFORE;
}

/* A wave reads what may be flags in its own CTA's memory: those are set, so it ends after that. */
static void see_flags(const Wave *w, u64 offset, u64 size) {
  u64 members = w->group->member_count, *flags = w->cta->visits + members + w->group->slots;
  for (u64 i = 0; i < members; i++)
    if (flags[members + i] - offset < size) flags[i] = 0;
}

static void touched_object(const Access *a, u32 lane, const Memory *m, u64 offset) {
  report_rule(a->w, a->instruction, 1ull << lane, (u32)a->w->launch->object_rule, m->base + offset,
              0, 0);
}

static int same_bytes(const Range *r, const Memory *m, u64 offset) {
  if (!same_contents(m->data + offset, r->data, r->size)) return 0;
  if (!r->undefined) return defined_at(m, offset, r->size);
  for (u32 i = 0; i < r->size; i++)
    if (r->undefined[i] != undefined_bits(m, offset + i)) return 0;
  return 1;
}

static void ready_pages(Wave *w, Memory *m, u64 offset, u64 size, int writes) {
  for (u64 page = offset >> PAGE_SHIFT; page <= (offset + size - 1) >> PAGE_SHIFT; page++)
    if (!page_ready(m, page, writes)) touch_page(w, m, page, writes);
}

static void read_here(const Access *a, const Range *r, const Memory *m, u64 offset) {
  copy_bytes(r->data, m->data + offset, r->size);
  check_defined(a, r, m, offset);
}

void check_defined(const Access *a, const Range *r, const Memory *m, u64 offset) {
  if (!defined_at(m, offset, r->size)) load_undefined(a, r, m, offset);
  else if (r->undefined) fill_bytes(r->undefined, 0, r->size);
}

static void write_here(const Access *a, const Range *r, Memory *m, u64 offset) {
  copy_bytes(m->data + offset, r->data, r->size);
  if (any_undefined(r)) store_undefined(a, r, m, offset);
  else define(a->w, m, offset, r->size);
}

void private_range(const Access *a, const Range *r, Memory *m, u64 place, int writes) {
  ready_pages(a->w, m, place, r->size, 1);
  if (writes) write_here(a, r, m, place);
  else read_here(a, r, m, place);
}

/* Access one lane's bytes of private memory, word by word. */
static void private_lane(const Access *a, const Range *r, Memory *m, u64 address, int writes) {
  for (u32 i = 0, bytes; i < r->size; i += bytes) {
    Range piece = *r;
    bytes = 4 - (u32)((address + i) % 4);
    if (bytes > r->size - i) bytes = r->size - i;
    piece.address = address + i;
    piece.size = bytes;
    piece.each = 0;
    piece.data += i;
    if (r->undefined) piece.undefined += i, piece.origin += i;
    private_range(a, &piece, m, private_place(a->w, r->lane, piece.address), writes);
  }
}

void read_bytes(const Access *a, const Range *r, Memory *m, u64 offset) {
  if (m->space == SPACE_PRIVATE) private_lane(a, r, m, offset, 0);
  else read_here(a, r, m, offset);
}

void write_bytes(const Access *a, const Range *r, Memory *m, u64 offset) {
  if (m->space == SPACE_PRIVATE) private_lane(a, r, m, offset, 1);
  else write_here(a, r, m, offset);
}

/* Check and record an access without moving bytes. Null: a hazard, or (`*split`) lanes must go
 * one by one. */
static Memory *checked(const Access *a, const Range *r, u64 *offset, Touch *t, int *split) {
  Wave *w = a->w;
  int many = r->each < r->size && r->each, writes = (a->kind & ACCESS_STORE) != 0;
  Memory *m = a->memory;
  if (m) *offset = r->address;
  else m = memory_at(w, a->space, r->address, r->size, offset);
  *split = many;
  if (!m) {
    if (!many) out_of_bounds(a, r->lane, r->address, r->size);
    return 0;
  }
  if ((r->address | (many ? r->each : 0)) & (a->align - 1)) {
    if (!many) misaligned(a, r->lane, r->address, a->align);
    return 0;
  }
  if (m->space == SPACE_PRIVATE) return many ? 0 : m;
  if (writes && m->read_only) {
    if (!many) read_only(a, r);
    return 0;
  }
  if (writes && r->undefined && w->launch->races && m->space == SPACE_GLOBAL)
    race_stored(a, r, m->base + *offset);
  /* this comes first: before it, the page's records and bits are those of another launch */
  ready_pages(w, m, *offset, r->size, writes);
  int unfinished = a->kind & ACCESS_STORE && stamp_agent(a->stamps[1]) == AGENT_BARRIER;
  if (m->owner && (m->owner != w->cta || unfinished)) visit(a, r->lane, m->owner, *offset);
  else if (m->owner && a->kind & ACCESS_LOAD && a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED) &&
           w->group->cta_count > 1)
    see_flags(w, *offset, r->size);
  if (!(a->kind & ACCESS_OBJECT) && meets_object(m, *offset, r->size)) {
    if (many) return 0;
    touched_object(a, r->lane, m, *offset);
  }
  *t = (Touch){.a = a,
               .m = m,
               .from = *offset,
               .to = *offset + r->size,
               .lane = r->lane,
               .quiet = many,
               .stamp = a->stamps[m->space == SPACE_SHARED]};
  if (writes && r->data && !(a->kind & ACCESS_LOAD) && m->space != SPACE_ENGINE) {
    /* what is written asynchronously has not come before it is complete, whatever was there */
    u32 agent = stamp_agent(t->stamp);
    int copies = a->kind & ACCESS_COPY;
    int equal =
        (agent <= AGENT_SHARED || agent == AGENT_BULK || copies) && same_bytes(r, m, *offset);
    t->same = equal && agent <= AGENT_SHARED;
    t->again = equal && !t->same && (m->space == SPACE_GLOBAL || copies);
    if (agent <= AGENT_SHARED && !(a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED))) t->data = r->data;
    w->launch->changes += !t->same;
  }
  if (m->lines) touch(t);
  if (carries(a, m) && !t->bad && (stamp_agent(t->stamp) <= AGENT_SHARED || a->kind & ACCESS_APART))
    carry(w, m->base + *offset, r->size, a->kind);
  return t->bad ? 0 : m;
}

int access(const Access *a, const Range *r) {
  u64 offset;
  int split;
  Touch t = {0};
  Memory *m = checked(a, r, &offset, &t, &split);
  if (!m) return split ? by_lane(a, r) : refuse(a, r);
  if (!(a->kind & ACCESS_STORE)) read_bytes(a, r, m, offset);
  else if (!t.same) write_bytes(a, r, m, offset);
  if (t.race) race_undefines(a, r, t.race);
  return 1;
}

Memory *exchange_at(const Access *a, const Range *r, u64 *offset) {
  int split;
  Touch t = {0};
  return checked(a, r, offset, &t, &split);
}

/* What `checked` and `check_defined` let pass without more ado, of a range like the last one. */
int read_again(const Access *a, Memory *m, u64 offset, u64 size) {
  const Launch *l = a->w->launch;
  u64 page = offset >> PAGE_SHIFT, end = offset + size;
  if (a->kind != ACCESS_LOAD || l->precise || !m->lines || end > m->size ||
      (end - 1) >> PAGE_SHIFT != page ||
      !ready_state(__atomic_load_n(&m->pages[page], __ATOMIC_ACQUIRE), m->tag, 0) ||
      (m->owner && (m->owner != a->w->cta || a->w->group->unreleased)) ||
      meets_object(m, offset, size) || !defined_at(m, offset, size))
    return 0;
  int locks = locks_lines(l, m), good = 1;
  if (!locks && offset / LINE_BYTES == (end - 1) / LINE_BYTES)
    return touch_again(a, m, offset, end);
  for (u64 at = offset, next; good && at < end; at = next) {
    u32 *lock = &l->shared->line_locks[line_lock(m, at / LINE_BYTES)];
    next = (at / LINE_BYTES + 1) * LINE_BYTES;
    if (next > end) next = end;
    if (locks) take_lock(lock);
    good = touch_again(a, m, at, next);
    if (locks) give_lock(lock);
  }
  return good;
}

void order_only(const Access *a, u32 lane, Memory *m, u64 offset, u64 size) {
  Touch t = {.a = a,
             .m = m,
             .from = offset,
             .to = offset + size,
             .lane = lane,
             .stamp = a->stamps[m->space == SPACE_SHARED]};
  ready_pages(a->w, m, offset, size, 1);
  if (m->owner && m->owner != a->w->cta) visit(a, lane, m->owner, offset);
  touch(&t);
}

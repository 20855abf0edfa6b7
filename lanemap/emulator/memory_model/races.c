/* Loads that race with writes of other waves, and the access log of precise code.
 *
 * A racing load reads undefined bits. It is a hazard only if its value decides something: an
 * address, a branch, or the contents of global memory. If the load runs first, the race is known
 * only when the write runs. Then the launch starts again, and the load gives undefined bits. */
#include "access.h"
#include "conflicts.h"
#include "memory_model.h"

/* A race that a pass found. `reader`: the stamp of the load if it ran before the write, else 0.
 * It read the bytes from .. to - 1 of the memory at `base`. `next`: number of an older race of
 * the same bucket. */
typedef struct Race {
  u64 reader, base, from, to, next;
  HazardRecord hazard;
} Race;

#define RACE_BUCKET_BITS 14

/* Races have numbers from 1. `again`: a load that ran before its racing write was newly found.
 * `newest`: the number of the newest race of each bucket, by its reader or, without one, by its
 * instructions. */
typedef struct Races {
  u64 count, capacity, again;
  Race *entries;
  u32 newest[1 << RACE_BUCKET_BITS];
} Races;

/* The last accesses and their instructions, as a ring. */
typedef struct Log {
  u64 count, capacity;
  u64 *stamps;
  u32 *instructions;
} Log;

#define RACES_AT_FIRST 1024
#define LOGGED (1u << 21)

void *calloc(u64 count, u64 size);
void *malloc(u64 size);
void free(void *memory);

/* What the passes of a launch in precise code share; null where no memory is left. */
Races *lm_new_races(void) { return calloc(1, sizeof(Races)); }

int races_again(const Races *races) { return races->again != 0; }

/* Must the launch start again because a newly found load ran before its racing write? Called
 * once a pass. */
u32 lm_races_again(Races *races) {
  u32 again = (u32)races->again;
  races->again = 0;
  return again;
}

Log *lm_new_log(void) {
  /* Nothing reads entries beyond the count, so they need no zeros: these take longer than a
   * small launch. */
  Log *log = malloc(sizeof(Log) + LOGGED * (sizeof(u64) + sizeof(u32)));
  if (!log) return 0;
  log->count = 0;
  log->capacity = LOGGED;
  log->stamps = (u64 *)(log + 1);
  log->instructions = (u32 *)(log->stamps + LOGGED);
  return log;
}

/* Free what the two functions above returned. */
void lm_free_story(Races *races, Log *log) {
  if (races) free(races->entries);
  free(races);
  free(log);
}

#define FLAG_BITS (SCOPE_BITS | LINK_BIT)

void log_access(Wave *w, u64 stamp, u32 instruction) {
  Log *log = w->launch->log;
  log->stamps[log->count % log->capacity] = stamp;
  log->instructions[log->count++ % log->capacity] = instruction;
}

COLD u32 logged(const Wave *w, u64 stamp) {
  const Log *log = w->launch->log;
  u64 kept = log && log->count > log->capacity ? log->capacity : log ? log->count : 0;
  for (u64 i = 0; i < kept; i++) {
    u64 at = (log->count - 1 - i) % log->capacity;
    if (log->stamps[at] == (stamp & ~FLAG_BITS)) return log->instructions[at] + 1;
  }
  return 0;
}

static int meets(const Race *r, u64 reader, u64 base, u64 from, u64 to) {
  return r->reader == reader && r->base == base && r->from < to && from < r->to;
}

static u32 *bucket_of(Races *races, u64 key) {
  return &races->newest[key * 0x9e3779b97f4a7c15ull >> (64 - RACE_BUCKET_BITS)];
}

/* The first race in which a load of this stamp read some of these bytes; 0: none. */
static u32 race_of_reader(Races *races, u64 reader, u64 base, u64 from, u64 to) {
  u32 found = 0;
  for (u32 i = *bucket_of(races, reader); i; i = (u32)races->entries[i - 1].next)
    if (meets(&races->entries[i - 1], reader, base, from, to)) found = i;
  return found;
}

u32 race_known(const Touch *t) {
  if ((t->a->kind & (ACCESS_LOAD | ACCESS_STORE)) != ACCESS_LOAD) return 0;
  return race_of_reader(t->a->w->launch->races, t->stamp, t->m->base, t->from, t->to);
}

/* Make room for one more race; 0 and a stop where no memory is left. */
static int has_room(Wave *w, Races *races) {
  if (races->count < races->capacity) return 1;
  u64 capacity = races->capacity ? 2 * races->capacity : RACES_AT_FIRST;
  Race *entries = calloc(capacity, sizeof(Race));
  if (!entries) {
    w->stop = STOP_MEMORY;
    return 0;
  }
  if (races->count)
    copy_bytes((u8 *)entries, (const u8 *)races->entries, races->count * sizeof(Race));
  free(races->entries);
  races->entries = entries;
  races->capacity = capacity;
  return 1;
}

static Race *new_race(Wave *w, Races *races, u64 key, const HazardRecord *h) {
  u32 *newest = bucket_of(races, key);
  if (!has_room(w, races)) return 0;
  Race *r = &races->entries[races->count++];
  *r = (Race){.next = *newest, .hazard = *h};
  *newest = (u32)races->count;
  return r;
}

COLD u32 race_of_load(Touch *t, const HazardRecord *h) {
  Races *races = t->a->w->launch->races;
  u64 key =
      ((u64)h->instruction << 32 | h->earlier) + (h->group << 20 ^ (u64)h->wave << 8 ^ h->lane);
  u32 found = 0;
  for (u32 i = *bucket_of(races, key); i; i = (u32)races->entries[i - 1].next) {
    const Race *r = &races->entries[i - 1];
    if (!r->reader && r->hazard.instruction == h->instruction && r->hazard.earlier == h->earlier &&
        r->hazard.lane == h->lane && r->hazard.wave == h->wave && r->hazard.group == h->group)
      found = i;
  }
  if (found) return found;
  return new_race(t->a->w, races, key, h) ? (u32)races->count : 0;
}

COLD int race_of_store(Touch *t, const HazardRecord *h, u64 reader, u64 at, u64 bytes) {
  Races *races = t->a->w->launch->races;
  reader &= ~FLAG_BITS;
  if (race_of_reader(races, reader, t->m->base, at, at + bytes)) return 1;
  Race *r = new_race(t->a->w, races, reader, h);
  if (!r) return 0;
  r->reader = reader;
  r->base = t->m->base;
  r->from = at > t->from ? at : t->from;
  r->to = at + bytes < t->to ? at + bytes : t->to;
  races->again = 1;
  return 1;
}

COLD void race_undefines(const Access *a, const Range *r, u32 race) {
  if (!r->undefined) return;
  u32 origin = lm_origin(a->w, ORIGIN_RACE, a->instruction, r->lane, a->space, race - 1);
  for (u32 i = 0; i < r->size; i++) {
    r->undefined[i] = 0xff;
    r->origin[i] = origin;
  }
}

/* The number of the race, from 1, in which undefined bits were read; 0 for others, and for races
 * of earlier launches, which left undefined bits in memory. */
int from_race(const Wave *w, u32 origin) {
  const Launch *l = w->launch;
  if (!l->races || !l->origins) return 0;
  while (origin >= l->first_origin && origin < l->origin_count) {
    const Origin *o = &l->origins[origin >> ORIGIN_CHUNK_BITS][origin & (ORIGIN_CHUNK - 1)];
    if (o->kind == ORIGIN_RACE) return (int)o->address + 1;
    if (o->kind != ORIGIN_STORE) return 0;
    origin = (u32)o->address;
  }
  return 0;
}

static int tell_race(Wave *w, HazardRecord h, u32 instruction, u32 lane, u32 decides) {
  h.use = instruction + 1;
  h.decides = decides;
  h.use_wave = w->member;
  h.use_lane = lane;
  report(w, &h);
  return 1;
}

COLD int race_decides(Wave *w, u32 instruction, u32 lane, u32 origin, u32 decides) {
  int race = from_race(w, origin);
  return race ? tell_race(w, w->launch->races->entries[race - 1].hazard, instruction, lane, decides)
              : 0;
}

COLD void race_stores(Wave *w, u32 instruction, u32 lane, u32 origin, u64 address) {
  int race = from_race(w, origin);
  if (!race) return;
  HazardRecord h = w->launch->races->entries[race - 1].hazard;
  u32 store = h.detail & ACCESS_STORE ? h.instruction + 1 : h.earlier;
  if (address - h.address < h.size && store == instruction + 1 && h.info[2])
    h.detail |= RACE_IN_PLACE;
  tell_race(w, h, instruction, lane, DECIDES_MEMORY);
}

/* -- replicas ---------------------------------------------------------------------------------- */

/* Is one of two numbers the other, or the float next to it? */
static int next_to(u32 x, u32 y, u32 fraction, u32 exponent) {
  u32 all = (1u << exponent) - 1, a = x >> fraction & all, b = y >> fraction & all;
  return x == y || ((x - y == 1 || y - x == 1) && a && b && a != all && b != all);
}

/* Are two stores the same, or floats of 32 or of 16 bits next to each other? */
static int nearly_same(const u8 *a, const u8 *b, u64 bytes) {
  u64 each = bytes % 4 ? 2 : 4;
  if (bytes % 2) return 0;
  for (u64 i = 0; i < bytes; i += each) {
    u32 x = 0, y = 0;
    copy_bytes((u8 *)&x, a + i, each);
    copy_bytes((u8 *)&y, b + i, each);
    int halves = next_to(x & 0xffff, y & 0xffff, 10, 5) && next_to(x >> 16, y >> 16, 10, 5);
    if (!halves && !next_to(x, y, 23, 8)) return 0;
  }
  return 1;
}

/* How far copies of one f32 sum may lie apart. A compiler that fuses the products of a butterfly's
 * first step makes lanes add p + q in two ways, which differ by the rounding of a product, and each
 * of the five steps rounds each of the two: at most 2 * 6 * 2^-24 < 2^-20 of the sum of the
 * addends' sizes. That sum is not known here, but the result: where no more than 1,000 times the
 * result cancels, SUM_RELATIVE allows for all of it, and where more does, SUM_ABSOLUTE for addends
 * of up to 1 in all, such as those of normalized data. So two different results that lie nearer to
 * each other than that by chance are noted, and no hazard: for lanes only where the values depend
 * on their numbers as those of a butterfly do (by_lane_bits), for warps in any case. Not allowed
 * for: sums of larger addends that cancel by more. Strict mode allows for nothing. */
#define SUM_RELATIVE 0x1p-10f
#define SUM_ABSOLUTE 0x1p-20f

/* Are two stores copies of one value, or f32 numbers that may be one sum, added in another order or
 * with a fused multiply? Small integers have the bits of subnormal numbers, which are none. */
int one_value(const u8 *a, const u8 *b, u64 bytes) {
  if (nearly_same(a, b, bytes)) return 1;
  if (bytes % 4) return 0;
  for (u64 i = 0; i < bytes; i += 4) {
    u32 bits[2];
    float x, y;
    copy_bytes((u8 *)&bits[0], a + i, 4);
    copy_bytes((u8 *)&bits[1], b + i, 4);
    for (u32 k = 0; k < 2; k++) {
      u32 exponent = bits[k] >> 23 & 0xff;
      if (exponent == 0xff || (!exponent && bits[k] << 1)) return 0;
    }
    copy_bytes((u8 *)&x, (u8 *)&bits[0], 4);
    copy_bytes((u8 *)&y, (u8 *)&bits[1], 4);
    float apart = x > y ? x - y : y - x, size = x > 0 ? x : -x;
    if (apart > SUM_ABSOLUTE + SUM_RELATIVE * size) return 0;
  }
  return 1;
}

/* Do two waves of a CTA store their own copies of one value by the same instruction? */
static int replicas(const Touch *t, const HazardRecord *h, u64 earlier, u32 earlier_kind) {
  const Wave *w = t->a->w;
  if (!t->data || earlier_kind != ACCESS_STORE || h->earlier != h->instruction + 1) return 0;
  if (stamp_agent(earlier) > AGENT_SHARED || stamp_scope(earlier)) return 0;
  if (stamp_group(earlier) != stamp_group(t->stamp)) return 0;
  return w->group->members[stamp_member(earlier)]->cta == w->cta &&
         one_value(t->data, t->m->data + t->from, t->to - t->from);
}

/* -- conflicts --------------------------------------------------------------------------------- */

static void describe(const Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind,
                     HazardRecord *h) {
  const Wave *w = t->a->w;
  u64 from = at > t->from ? at : t->from, to = at + bytes < t->to ? at + bytes : t->to;
  h->kind = HAZARD_ORDER;
  h->instruction = t->a->instruction;
  h->wave = w->member;
  h->group = w->group->number - w->launch->first_group;
  h->lane = t->lane;
  h->lanes = 1ull << t->lane;
  h->count = 1;
  h->space = t->m->space;
  h->address = t->m->base + from;
  h->size = to - from;
  h->detail = (t->a->kind & (ACCESS_LOAD | ACCESS_STORE)) | earlier_kind << 8;
  h->info[0] = stamp_group(earlier);
  h->info[1] = stamp_member(earlier);
  h->info[2] = stamp_group(earlier) == stamp_group(t->stamp);
  h->info[3] = stamp_scope(earlier) && scope_of(t->a->kind);
  h->earlier = logged(w, earlier);
}

/* Fast code knows only that plain accesses race. Precise code finds which instructions, and
 * whether the racing value is used at all. */
COLD void conflict(Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind) {
  Wave *w = t->a->w;
  if (t->quiet) {
    t->bad = 1;
    return;
  }
  const Launch *l = w->launch;
  HazardRecord h = {0};
  describe(t, at, bytes, earlier, earlier_kind, &h);
  if (replicas(t, &h, earlier, earlier_kind)) {
    h.note = NOTE_REPLICAS + 1;
    report(w, &h);
    return;
  }
  int engine = stamp_agent(earlier) > AGENT_SHARED || stamp_agent(t->stamp) > AGENT_SHARED;
  int now = engine && !l->front_end.conflict;
  if (l->front_end.conflict) now = (int)l->front_end.conflict(t, &h, earlier);
  if (h.note && !l->strict) {
    report(w, &h);
    return;
  }
  if (!l->precise) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  if (!now && !l->at_once) {
    if ((t->a->kind & (ACCESS_LOAD | ACCESS_STORE | ACCESS_OBJECT)) == ACCESS_LOAD) {
      u32 race = race_of_load(t, &h);
      if (race) {
        t->race = race;
        return;
      }
    } else if (earlier_kind == ACCESS_LOAD && race_of_store(t, &h, earlier, at, bytes)) {
      return;
    }
    if (w->stop == STOP_MEMORY) return;
  }
  report(w, &h);
}

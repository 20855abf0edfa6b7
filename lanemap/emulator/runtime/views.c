/* Operands and results of matrix products as ranges of memory: see views.h. */
#include "views.h"
#include "events.h"

#define SPAN_WORDS 4096 /* bits for 256 KB, or for the words of 1 MB */
#define PIECE 1024      /* bytes whose origins are looked at together */

/* Which bytes a view names: a bit for each byte, or for each word where all pieces consist of
 * words. So many runs become few ranges, in whatever order they come. */
typedef struct Span {
  u64 first, last;   /* the bytes first .. last - 1 have bits */
  u32 shift, misfit; /* shift is 0: bytes, 2: words, where no piece misfits */
  u64 units[SPAN_WORDS];
} Span;

/* The pieces of `each` bits that a view names: its runs, or the single elements where those of a
 * run are apart (`step` is not 0). Where words are accessed, a run has no word between its
 * elements. */
typedef struct Pieces {
  u64 count;
  u32 each, step, run;
} Pieces;

static Pieces pieces_of(const View *v, u32 lines, u32 depth, u32 bits) {
  u64 runs = (u64)lines * depth / v->run;
  if (v->step < bits + 8 || v->used) return (Pieces){runs, (v->run - 1) * v->step + bits, 0, 1};
  return (Pieces){runs * v->run, bits, v->step, v->run};
}

static inline u64 piece_at(const View *v, const Pieces *p, u64 i) {
  return p->step ? v->places[i / p->run] + i % p->run * p->step : v->places[i];
}

/* The bytes of a piece, or the words where those are accessed. */
typedef struct { u64 from, to; } Bytes;

static inline Bytes piece_bytes(const View *v, const Pieces *p, u64 i) {
  u64 bit = piece_at(v, p, i), from = bit / 8, to = (bit + p->each + 7) / 8;
  return v->used ? (Bytes){from & ~3ull, (to + 3) & ~3ull} : (Bytes){from, to};
}

/* Are the pieces whole runs of whole bytes? */
static inline int whole_runs(const View *v, const Pieces *p) {
  return !p->step && !v->used && p->each % 8 == 0;
}

/* The bytes of such pieces: none misfits if no place and no length does. */
static void measure_runs(Span *s, const View *v, const Pieces *p) {
  typedef u32 Places __attribute__((ext_vector_type(16)));
  Places least = ~0u, most = 0, bits = 0;
  u64 i = 0;
  for (; i + 16 <= p->count; i += 16) {
    Places here;
    copy_bytes((u8 *)&here, (const u8 *)(v->places + i), sizeof here);
    least = __builtin_elementwise_min(least, here);
    most = __builtin_elementwise_max(most, here);
    bits |= here;
  }
  u32 low = __builtin_reduce_min(least), high = __builtin_reduce_max(most),
      any = __builtin_reduce_or(bits);
  for (; i < p->count; i++) {
    low = v->places[i] < low ? v->places[i] : low;
    high = v->places[i] > high ? v->places[i] : high;
    any |= v->places[i];
  }
  s->first = low / 8;
  s->last = ((u64)high + p->each + 7) / 8;
  s->misfit = (any | p->each) & 31;
  s->shift = s->misfit ? 0 : 2;
}

static void measure(Span *s, const View *v, const Pieces *p) {
  if (whole_runs(v, p)) {
    measure_runs(s, v, p);
    return;
  }
  s->first = ~0ull;
  s->last = s->misfit = 0;
  for (u64 i = 0; i < p->count; i++) {
    Bytes b = piece_bytes(v, p, i);
    u64 from = b.from, to = b.to;
    s->first = from < s->first ? from : s->first;
    s->last = to > s->last ? to : s->last;
    s->misfit |= (u32)(from | to) & 3;
  }
  s->shift = s->misfit ? 0 : 2;
}

static inline void mark_units(u64 *bits, u64 from, u64 to) {
  u64 first = from >> 6, last = (to - 1) >> 6;
  u64 low = ~0ull << (from & 63), high = ~0ull >> (63 - ((to - 1) & 63));
  if (first == last) {
    bits[first] |= low & high;
    return;
  }
  bits[first] |= low;
  for (u64 i = first + 1; i < last; i++) bits[i] = ~0ull;
  bits[last] |= high;
}

static void mark_all(Span *s, const View *v, const Pieces *p) {
  u64 units = (s->last - s->first) >> s->shift;
  fill_bytes((u8 *)s->units, 0, (units + 63) / 64 * 8 + 8);
  if (whole_runs(v, p) && !(s->misfit & 7)) { /* no place lies within a byte */
    u64 each = p->each / 8 >> s->shift;
    for (u64 i = 0; i < p->count; i++) {
      u64 from = (v->places[i] / 8 - s->first) >> s->shift;
      mark_units(s->units, from, from + each);
    }
    return;
  }
  for (u64 i = 0; i < p->count; i++) {
    Bytes b = piece_bytes(v, p, i);
    mark_units(s->units, (b.from - s->first) >> s->shift, (b.to - s->first) >> s->shift);
  }
}

/* Find the next range of marked units from *at on; returns 0 if there is none. */
static u64 next_run(const Span *s, u64 units, u64 *at) {
  u64 from = *at, word = from >> 6 < SPAN_WORDS ? s->units[from >> 6] >> (from & 63) : 0;
  while (!word) {
    from = (from | 63) + 1;
    if (from >= units) return 0;
    word = s->units[from >> 6];
  }
  from += lowest(word);
  u64 to = from, rest = ~s->units[to >> 6] >> (to & 63);
  while (!rest) {
    to = (to | 63) + 1;
    if (to >= units) break;
    rest = ~s->units[to >> 6];
  }
  if (rest) to += lowest(rest);
  *at = from;
  return (to > units ? units : to) - from;
}

/* Undefined bits of an operand, with where they came from, in precise code. */
COLD static void undefined_operand(const Access *a, const Range *r, u32 detail) {
  for (u32 i = 0; i < r->size; i++)
    if (r->undefined[i]) {
      lm_undefined(a->w, a->instruction, 1ull << r->lane, detail, r->undefined[i], r->origin[i]);
      return;
    }
}

/* Access one range without moving its bytes. 0 after a hazard. In precise code it is cut into
 * pieces, whose undefined bits and origins fit into arrays. */
static int touch_range(const Access *a, u32 lane, u64 from, u64 to, u32 used, u32 detail) {
  u8 undefined[PIECE];
  u32 origin[PIECE];
  u32 precise = a->w->launch->precise != 0, reads = a->kind & ACCESS_LOAD;
  int good = 1;
  for (u64 end; from < to; from = end) {
    u64 offset;
    end = precise && to > (from / PIECE + 1) * PIECE ? (from / PIECE + 1) * PIECE : to;
    Range r = {from, (u32)(end - from), 0, lane, 0, precise && reads ? undefined : 0, origin, 0};
    Memory *m = exchange_at(a, &r, &offset);
    if (!m) {
      good = 0;
      continue;
    }
    if (reads && used) check_used(a, &r, m, offset, used);
    else if (reads) check_defined(a, &r, m, offset);
    if (precise && reads) undefined_operand(a, &r, detail);
    if (a->kind & ACCESS_STORE && used) define_used(a, lane, m, offset, r.size, used);
    else if (a->kind & ACCESS_STORE) define(a->w, m, offset, r.size);
  }
  return good;
}

u32 lm_access_view(const Access *of, const View *v, u32 lines, u32 depth, u32 bits, u32 lane,
                   u32 detail) {
  Span s;
  Alike alike = {.known = 0};
  Access many = *of, *a = &many;
  many.alike = &alike;
  Pieces pieces = pieces_of(v, lines, depth, bits);
  measure(&s, v, &pieces);
  if (s.last > a->memory->size) {
    out_of_bounds(a, lane, a->memory->base + s.first, s.last - s.first);
    return 0;
  }
  u64 units = (s.last - s.first) >> s.shift;
  if (units > SPAN_WORDS * 64 - 64) return 0;
  mark_all(&s, v, &pieces);
  int good = 1;
  u64 bytes = 0;
  for (u64 at = 0, count; at < units && (count = next_run(&s, units, &at)); at += count) {
    u64 from = s.first + (at << s.shift);
    if (v->used || a->align > 1 || !read_again(a, a->memory, from, count << s.shift))
      good &= touch_range(a, lane, from, from + (count << s.shift), v->used, detail);
    bytes += count << s.shift;
  }
  tell_bytes(a, 1ull << lane, bytes);
  return good;
}

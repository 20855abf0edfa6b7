/* The interpreter of layout tables: transposing reads, matrix loads and stores, moves of an
 * engine's cells. */
#include "tables.h"
#include "events.h"
#include "quick.h"

Table table_of(const Wave *w, u32 number) {
  const i32 *words = w->launch->tables[number];
  Table t = {(u32)words[0], (u32)words[1], (u32)words[2], words + 3, 0, 0};
  t.lanes = t.run + RUN_WORDS * t.runs;
  t.elements = t.lanes + t.cells;
  return t;
}

static u32 field(const u8 *bytes, u32 bit, u32 bits) {
  u32 value = 0;
  if (bits == 32) {
    __builtin_memcpy(&value, bytes + bit / 8, 4);
    return value;
  }
  for (u32 done = 0; done < bits; done += 8) value |= (u32)bytes[(bit + done) >> 3] << done;
  return bits < 8 ? value >> (bit & 7) & ((1u << bits) - 1) : value;
}

/* Whole words: most tables of 32-bit registers. */
static void follow_words(const i32 *elements, u32 words, const u8 *from, u8 *to) {
  for (u32 i = 0; i < words; i++) {
    u32 value = 0;
    if (elements[i] != NOTHING) __builtin_memcpy(&value, from + (u64)(u32)elements[i] * 4, 4);
    __builtin_memcpy(to + i * 4, &value, 4);
  }
}

static void follow_bytes(const i32 *elements, u32 count, u32 each, const u8 *from, u8 *to) {
  for (u32 i = 0; i < count; i++)
    for (u32 k = 0; k < each; k++)
      to[i * each + k] = elements[i] == NOTHING ? 0 : from[(u64)(u32)elements[i] * each + k];
}

static void follow_bits(const i32 *elements, u32 words, u32 bits, const u8 *from, u8 *to) {
  u32 each = 32 / bits;
  for (u32 i = 0; i < words; i++) {
    u32 value = 0;
    for (u32 k = 0; k < each; k++) {
      i32 source = elements[i * each + k];
      if (source != NOTHING) value |= field(from, (u32)source * bits, bits) << (k * bits);
    }
    __builtin_memcpy(to + i * 4, &value, 4);
  }
}

static void follow_plane(const Table *t, u32 words, const u8 *from, u8 *to) {
  if (t->bits == 32) follow_words(t->elements, words, from, to);
  else if (t->bits >= 8) follow_bytes(t->elements, words * 32 / t->bits, t->bits / 8, from, to);
  else follow_bits(t->elements, words, t->bits, from, to);
}

/* The origin of a moved byte is that of the first undefined bits that it received. */
static u32 moved_origin(const Table *t, u32 byte, const Moved *from, u32 empty, u32 origin) {
  u32 first = byte * 8 / t->bits, last = (byte * 8 + 7) / t->bits;
  for (u32 i = first; i <= last; i++) {
    if (t->elements[i] == NOTHING) {
      if (empty == EMPTY_UNDEFINED) return origin;
      continue;
    }
    u32 bit = (u32)t->elements[i] * t->bits + (t->bits > 8 ? byte * 8 % t->bits : 0);
    if (from->undefined[bit / 8]) return from->origin[bit / 8];
  }
  return 0;
}

static void empty_elements(const Table *t, u32 words, Moved *to) {
  u32 each = 32 / t->bits;
  for (u32 i = 0; i < words * each; i++) {
    if (t->elements[i] != NOTHING) continue;
    for (u32 bit = i * t->bits; bit < (i + 1) * t->bits; bit++)
      to->undefined[bit / 8] |= (u8)(1 << bit % 8);
  }
}

void follow(const Wave *w, const Table *t, u32 words, const Moved *from, Moved *to, u32 empty,
            u32 origin) {
  follow_plane(t, words, from->data, to->data);
  if (!w->launch->precise && empty == EMPTY_ZERO) return;
  if (w->launch->precise) follow_plane(t, words, from->undefined, to->undefined);
  else fill_bytes(to->undefined, 0, words * 4);
  if (empty == EMPTY_UNDEFINED) empty_elements(t, words, to);
  if (!w->launch->precise) return;
  for (u32 i = 0; i < words * 4; i++)
    to->origin[i] = to->undefined[i] ? moved_origin(t, i, from, empty, origin) : 0;
}

void take_rows(const Wave *w, u32 row, u32 lanes, u32 registers, Moved *m) {
  for (u32 lane = 0; lane < lanes; lane++)
    for (u32 r = 0; r < registers; r++) {
      u32 at = (lane * registers + r) * 4;
      __builtin_memcpy(m->data + at, &w->value[row + r][lane], 4);
      __builtin_memcpy(m->undefined + at, &w->undefined[row + r][lane], 4);
      for (u32 i = 0; w->launch->precise && i < 4; i++)
        m->origin[at + i] = w->origin[row + r][lane];
    }
}

void give_rows(Wave *w, u32 row, u32 lanes, u32 registers, const Moved *m) {
  for (u32 lane = 0; lane < lanes; lane++)
    for (u32 r = 0; r < registers; r++) {
      u32 at = (lane * registers + r) * 4, origin = 0, unknown = 0;
      __builtin_memcpy(&w->value[row + r][lane], m->data + at, 4);
      if (!w->launch->precise) continue;
      __builtin_memcpy(&unknown, m->undefined + at, 4);
      w->undefined[row + r][lane] = unknown;
      for (u32 i = 0; i < 4 && !origin; i++)
        if (m->undefined[at + i]) origin = m->origin[at + i];
      w->origin[row + r][lane] = origin;
    }
}

/* Access chunks of 8 or 16 bytes from lane `first` on by the fast path; return how many lanes
 * that served. */
INLINE u32 quick_chunks(const Access *a, u32 first, u32 lanes, u32 chunk, Moved *m) {
  const u64 *address = a->w->address;
  Quick q;
  u32 lane = first;
  if (!quick_memory(&q, a, address[first], chunk)) return 0;
  for (; lane < lanes; lane++) {
    u8 *bytes = m->data + lane * chunk;
    if (a->kind & ACCESS_STORE) {
      if (!quick_store(&q, address[lane], chunk, 1, bytes)) break;
      continue;
    }
    const u8 *from = quick_load(&q, address[lane], chunk, 1);
    if (!from) break;
    copy_bytes(bytes, from, chunk);
  }
  return lane - first;
}

void access_chunks(const Access *a, u32 lanes, u32 chunk, Moved *m) {
  int quick = may_be_quick(a);
  for (u32 lane = 0; lane < lanes; lane++) {
    if (quick && chunk == 16) lane += quick_chunks(a, lane, lanes, 16, m);
    else if (quick && chunk == 8) lane += quick_chunks(a, lane, lanes, 8, m);
    if (lane == lanes) return;
    u32 at = lane * chunk;
    Range r = {a->w->address[lane], chunk, 0, lane, m->data + at, 0, 0, 0};
    if (a->w->launch->precise) r.undefined = m->undefined + at, r.origin = m->origin + at;
    access(a, &r);
  }
}

/* Convert an origin made by the lane that read memory to one for the lane that received the
 * bits. */
COLD static u32 received(Wave *w, u32 instruction, u32 origin, u32 lane) {
  const Launch *l = w->launch;
  if (!origin || origin >= l->origin_count) return origin;
  const Origin *o =
      &l->origins[origin >> ORIGIN_CHUNK_BITS][origin & ((1u << ORIGIN_CHUNK_BITS) - 1)];
  if (o->kind != ORIGIN_MEMORY || o->instruction != instruction || o->lane == lane) return origin;
  return lm_origin(w, ORIGIN_MEMORY, instruction, lane, o->space, o->address);
}

/* Registers filled from chunks of shared memory: every lane's chunk of `chunk` bytes lies at its
 * own address. What is moved to no register is undefined. */
void lm_gather_chunks(Wave *w, u32 instruction, u32 chunk, u32 registers, u32 align, u32 row,
                      u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  Access a = begin_access(w, instruction, SPACE_SHARED, ACCESS_LOAD, align);
  tell_lanes(&a, w->full, chunk, t.bits);
  access_chunks(&a, w->launch->lanes, chunk, &from);
  follow(w, &t, w->launch->lanes * registers, &from, &to, EMPTY_UNDEFINED, 0);
  for (u32 i = 0; w->launch->precise && i < w->launch->lanes * registers * 4; i++)
    if (to.undefined[i] && (i % 4 == 0 || !to.undefined[i - 1]))
      to.origin[i] = received(w, instruction, to.origin[i], i / (registers * 4));
  give_rows(w, row, w->launch->lanes, registers, &to);
  for (u32 i = 0; !w->launch->precise && i < w->launch->lanes * registers * 4; i++)
    if (to.undefined[i]) w->stop = STOP_IMPRECISE;
}

/* Loads and stores of lanes: their addresses as ranges, their bytes as rows of registers. */
#include "events.h"
#include "lanes.h"
#include "memory_model.h"
#include "quick.h"

/* The data of one range, lane by lane. */
typedef struct Buffer {
  u8 bytes[MAX_LANES * 32], undefined[MAX_LANES * 32];
  u32 origin[MAX_LANES * 32];
} Buffer;

typedef u64 Words8a __attribute__((vector_size(64)));
typedef _Bool Flags8 __attribute__((ext_vector_type(8)));

/* Bit i: the address of lane i plus `step` is that of lane i + 1; that of the last lane means
 * nothing. Addresses are read as they were written, 8 at a time: a load that begins between two
 * stores waits for both. */
static u64 steps_of(const u64 *address, u32 lanes, u64 step) {
  u64 found = 0;
  Words8a here, after;
  __builtin_memcpy(&here, address, sizeof here);
  for (u32 i = 0; i < lanes; i += 8, here = after) {
    after = here;
    if (i + 8 < lanes) __builtin_memcpy(&after, address + i + 8, sizeof after);
    Words8a next = __builtin_shufflevector(here, after, 1, 2, 3, 4, 5, 6, 7, 8);
    Flags8 flags = __builtin_convertvector(next == here + step, Flags8);
    u8 bits;
    __builtin_memcpy(&bits, &flags, 1);
    found |= (u64)bits << i;
  }
  return found;
}

static u32 run_length(u64 joined, u32 first) {
  u64 breaks = ~(joined >> first);
  return breaks ? lowest(breaks) + 1 : MAX_LANES;
}

static u64 lanes_from(u32 first, u32 count) {
  return (count >= 64 ? ~0ull : (1ull << count) - 1) << first;
}

/* The lanes of `mask` in ranges: runs of consecutive addresses, or of one address (`each` is 0). */
typedef struct Ranges {
  u64 left, joined, equal;
  u32 size;
} Ranges;

static Ranges ranges_of(const Wave *w, u32 space, u64 mask, u32 size, int loads) {
  u64 pairs = mask & mask >> 1;
  Ranges r = {mask, 0, 0, size};
  if (!pairs) return r;
  r.joined = steps_of(w->address, (u32)w->launch->lanes, size) & pairs;
  if (loads && r.joined != pairs && space != SPACE_PRIVATE)
    r.equal = steps_of(w->address, (u32)w->launch->lanes, 0) & pairs;
  return r;
}

/* The next range; its lanes are `*count` from r->lane on. */
static Range next_range(Ranges *s, const Wave *w, u32 *count) {
  u32 first = lowest(s->left);
  /* each lane has private memory of its own, so equal addresses are different places */
  int equal = s->equal >> first & 1 && w->address[first] >> 32 != PRIVATE_APERTURE;
  *count = run_length(equal ? s->equal : s->joined, first);
  s->left &= ~lanes_from(first, *count);
  return (Range){w->address[first],
                 equal ? s->size : s->size * *count,
                 equal ? 0 : s->size,
                 first,
                 0,
                 0,
                 0,
                 0};
}

/* Access single lanes as long as their addresses have no neighbor, which is common in scattered
 * accesses. Stop at the first lane of a longer range, or at the first that needs `access`. */
INLINE void quick_lanes(Ranges *s, const Access *a, u32 size, u32 writes, u32 row) {
  Wave *w = a->w;
  u64 many = s->joined | s->equal, left = s->left, alone = left & ~(many | many << 1);
  Quick q;
  if (!(alone & left & (0 - left)) || !quick_memory(&q, a, w->address[lowest(left)], size)) return;
  if (q.m.size >= FAR_BYTES) fetch_records(&q, w->address, left & alone);
  u64 all = left;
  for (; left & alone & (0 - left); left &= left - 1) {
    u32 lane = lowest(left), words[4];
    for (u32 k = 0; writes && k < size; k += 4) words[k / 4] = w->value[row + k / 4][lane];
    if (!(writes ? quick_store(&q, w->address[lane], size, 1, (u8 *)words)
                 : quick_load(&q, w->address[lane], size, 1) != 0))
      break;
  }
  s->left = left;
  /* apart from their checks, so that the lanes' reads wait for memory together */
  for (u64 done = writes ? 0 : all & ~left; done; done &= done - 1) {
    u32 lane = lowest(done), words[4] = {0};
    copy_bytes((u8 *)words, q.m.data + (w->address[lane] - q.base), size);
    for (u32 k = 0; k < size; k += 4) w->value[row + k / 4][lane] = words[k / 4];
  }
}

static void quick_loads(Ranges *s, const Access *a, u32 row) {
  if (s->size == 4) quick_lanes(s, a, 4, 0, row);
  else if (s->size == 8) quick_lanes(s, a, 8, 0, row);
  else if (s->size == 16) quick_lanes(s, a, 16, 0, row);
  else if (s->size == 2) quick_lanes(s, a, 2, 0, row);
  else if (s->size == 1) quick_lanes(s, a, 1, 0, row);
}

static void quick_stores(Ranges *s, const Access *a, u32 row) {
  if (s->size == 4) quick_lanes(s, a, 4, 1, row);
  else if (s->size == 8) quick_lanes(s, a, 8, 1, row);
  else if (s->size == 16) quick_lanes(s, a, 16, 1, row);
  else if (s->size == 2) quick_lanes(s, a, 2, 1, row);
  else if (s->size == 1) quick_lanes(s, a, 1, 1, row);
}

/* -- rows -------------------------------------------------------------------------------------- */

static u32 word_of(const u8 *bytes, u32 size) {
  u32 value = 0;
  if (size == 4) __builtin_memcpy(&value, bytes, 4);
  else if (size == 2) value = bytes[0] | (u32)bytes[1] << 8;
  else if (size == 1) value = bytes[0];
  else value = bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16;
  return value;
}

/* Access one range of lanes. */
static void access_range(const Access *a, const Range *r, int quick) {
  Quick q;
  const u8 *from = 0;
  int done = 0;
  if (quick && !(r->each & (a->align - 1)) && quick_memory(&q, a, r->address, r->size)) {
    if (a->kind & ACCESS_STORE) done = quick_store(&q, r->address, r->size, 0, r->data);
    else from = quick_load(&q, r->address, r->size, 0);
  }
  if (from) copy_bytes(r->data, from, r->size);
  else if (!done) access(a, r);
}

typedef u32 Words16 __attribute__((vector_size(64)));
#define BLOCK 16 /* lanes of a vector */

INLINE Words16 words_at(const void *from) {
  Words16 words;
  __builtin_memcpy(&words, from, sizeof words);
  return words;
}

INLINE void put_words(void *to, Words16 words) { __builtin_memcpy(to, &words, sizeof words); }

/* Transpose the words of 16 lanes, two or four each, between memory order and rows. */
static void rows_of_block(u32 (*rows)[MAX_LANES], const u8 *bytes, u32 first, u32 size) {
  Words16 a = words_at(bytes), b = words_at(bytes + 64);
  if (size == 8) {
    put_words(&rows[0][first], EVENS(a, b));
    put_words(&rows[1][first], ODDS(a, b));
    return;
  }
  Words16 c = words_at(bytes + 128), d = words_at(bytes + 192);
  Words16 even = EVENS(a, b), odd = ODDS(a, b), evens = EVENS(c, d), odds = ODDS(c, d);
  put_words(&rows[0][first], EVENS(even, evens));
  put_words(&rows[1][first], EVENS(odd, odds));
  put_words(&rows[2][first], ODDS(even, evens));
  put_words(&rows[3][first], ODDS(odd, odds));
}

static void block_of_rows(u32 (*rows)[MAX_LANES], u8 *bytes, u32 first, u32 size) {
  Words16 a = words_at(&rows[0][first]), b = words_at(&rows[1][first]);
  if (size == 8) {
    put_words(bytes, DEALT_FIRST(a, b));
    put_words(bytes + 64, DEALT_LAST(a, b));
    return;
  }
  Words16 c = words_at(&rows[2][first]), d = words_at(&rows[3][first]);
  Words16 even = DEALT_FIRST(a, c), odd = DEALT_FIRST(b, d), evens = DEALT_LAST(a, c),
          odds = DEALT_LAST(b, d);
  put_words(bytes, DEALT_FIRST(even, odd));
  put_words(bytes + 64, DEALT_LAST(even, odd));
  put_words(bytes + 128, DEALT_FIRST(evens, odds));
  put_words(bytes + 192, DEALT_LAST(evens, odds));
}

/* Bytes of `count` lanes to rows; `stride` is 0 where all lanes read the same. */
static void to_rows(u32 (*rows)[MAX_LANES], const u8 *bytes, u32 first, u32 count, u32 size,
                    u32 stride) {
  u32 done = 0;
  if (size < 4) {
    for (u32 i = 0; i < count; i++) rows[0][first + i] = word_of(bytes + i * stride, size);
    return;
  }
  if (stride && (size == 8 || size == 16))
    for (; done + BLOCK <= count; done += BLOCK)
      rows_of_block(rows, bytes + done * size, first + done, size);
  for (u32 k = 0; k < size / 4; k++)
    for (u32 i = done; i < count; i++)
      __builtin_memcpy(&rows[k][first + i], bytes + i * stride + 4 * k, 4);
}

static void from_rows(u32 (*rows)[MAX_LANES], u8 *bytes, u32 first, u32 count, u32 size) {
  u32 done = 0;
  if (size < 4) {
    for (u32 i = 0; i < count; i++)
      for (u32 k = 0; k < size; k++) bytes[i * size + k] = (u8)(rows[0][first + i] >> (8 * k));
    return;
  }
  if (size == 8 || size == 16)
    for (; done + BLOCK <= count; done += BLOCK)
      block_of_rows(rows, bytes + done * size, first + done, size);
  for (u32 k = 0; k < size / 4; k++)
    for (u32 i = done; i < count; i++)
      __builtin_memcpy(bytes + i * size + 4 * k, &rows[k][first + i], 4);
}

/* For each word, the origin of its first undefined byte. */
static void origins_to_rows(Wave *w, const Buffer *b, const Range *r, u32 count, u32 size,
                            u32 row) {
  u32 stride = r->each;
  for (u32 i = 0; i < count; i++)
    for (u32 k = 0; k < size; k += 4) {
      u32 origin = 0;
      for (u32 j = k; j < size && j < k + 4 && !origin; j++)
        if (b->undefined[i * stride + j]) origin = b->origin[i * stride + j];
      w->origin[row + k / 4][r->lane + i] = origin;
    }
}

/* Lanes that access the same words of private memory access one range for each word. */
static int private_words(const Access *a, u64 mask, u32 size, u32 row, int writes) {
  Wave *w = a->w;
  Ranges s = ranges_of(w, SPACE_PRIVATE, mask, 0, 0);
  u64 address = w->address[lowest(mask)], lanes = w->launch->lanes;
  if ((writes ? !(a->kind & ACCESS_DEFINED) : w->launch->precise) ||
      s.joined != (mask & mask >> 1) || address % 4 || size % 4 ||
      mask != lanes_from(0, (u32)lanes) || address + size > w->private_size)
    return 0;
  for (u32 k = 0; k < size / 4; k++) {
    Range r = {address + 4 * k, (u32)lanes * 4, 4, 0, (u8 *)w->value[row + k], 0, 0, 0};
    private_range(a, &r, &w->private, private_place(w, 0, r.address), writes);
  }
  return 1;
}

/* -- loads ------------------------------------------------------------------------------------- */

static void load_range(const Access *a, Range *r, u32 count, u32 size, u32 row, int quick) {
  Wave *w = a->w;
  if (!w->launch->precise && size == 4 && r->each) {
    r->data = (u8 *)&w->value[row][r->lane];
    access_range(a, r, quick);
    return;
  }
  Buffer b;
  r->data = b.bytes;
  if (w->launch->precise) r->undefined = b.undefined, r->origin = b.origin;
  access_range(a, r, quick);
  to_rows(&w->value[row], b.bytes, r->lane, count, size, r->each);
  if (!w->launch->precise) return;
  to_rows(&w->undefined[row], b.undefined, r->lane, count, size, r->each);
  origins_to_rows(w, &b, r, count, size, row);
}

/* Addresses in `address`, `size` bytes (1, 2 or whole dwords) into rows row.. ; narrower than four
 * bytes is zero-extended. Lanes out of bounds read zero. */
void lm_load(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
             u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, ACCESS_LOAD | kind, align, mask, size);
  if (lanes_followed(w)) lanes_access(&a, mask, size, row, 0);
  if (space == SPACE_PRIVATE && private_words(&a, mask, size, row, 0)) return;
  Ranges s = ranges_of(w, space, mask, size, 1);
  int quick = may_be_quick(&a);
  while (s.left) {
    u32 count;
    if (quick) quick_loads(&s, &a, row);
    if (!s.left) return;
    Range r = next_range(&s, w, &count);
    load_range(&a, &r, count, size, row, quick);
  }
}

/* One uniform load (SMEM): the address is address[0], the rows are filled in lane 0 alone. */
void lm_load_uniform(Wave *w, u32 instruction, u32 space, u32 size, u32 align, u32 row, u32 kind) {
  Access a = begin_lanes(w, instruction, space, ACCESS_LOAD | kind, align, 1, size);
  Range r = {w->address[0], size, size, 0, 0, 0, 0, 0};
  load_range(&a, &r, 1, size, row, may_be_quick(&a));
}

/* -- stores ------------------------------------------------------------------------------------ */

static void store_range(const Access *a, Range *r, u32 count, u32 size, u32 row, int quick) {
  Wave *w = a->w;
  int defined = (a->kind & ACCESS_DEFINED) != 0;
  if (defined && size == 4) {
    r->data = (u8 *)&w->value[row][r->lane];
    access_range(a, r, quick);
    return;
  }
  Buffer b;
  from_rows(&w->value[row], b.bytes, r->lane, count, size);
  r->data = b.bytes;
  if (!defined) {
    from_rows(&w->undefined[row], b.undefined, r->lane, count, size);
    r->undefined = b.undefined;
    r->origin = b.origin;
    for (u32 i = 0; w->launch->precise && i < count; i++)
      for (u32 k = 0; k < size; k++) b.origin[i * size + k] = w->origin[row + k / 4][r->lane + i];
  }
  access_range(a, r, quick);
}

/* Do lanes store to bytes of each other? Where their addresses ascend they do not. */
static int may_meet(const Wave *w, u64 mask, u32 size) {
  u64 end = 0;
  for (u64 left = mask; left; left &= left - 1) {
    u64 address = w->address[lowest(left)];
    if (address < end) return 1;
    end = address + size;
  }
  return 0;
}

/* Note that lanes of one store wrote copies of one value to the same bytes. */
COLD static void note_replicas(const Access *a, const Memory *m, u32 lane, u64 offset, u32 size) {
  Wave *w = a->w;
  HazardRecord h = {0};
  h.kind = HAZARD_ORDER;
  h.instruction = a->instruction;
  h.wave = w->member;
  h.group = w->group->number - w->launch->first_group;
  h.lane = lane;
  h.lanes = 1ull << lane;
  h.space = m->space;
  h.address = m->base + offset;
  h.size = size;
  h.detail = ACCESS_STORE | ACCESS_STORE << 8;
  h.info[0] = h.group;
  h.info[1] = w->member;
  h.info[2] = 1;
  h.earlier = a->instruction + 1;
  h.note = NOTE_REPLICAS + 1;
  report(w, &h);
}

#define MOST_SUMS 2 /* whose butterflies lie behind one value */

/* Do the lanes that store to a lane's address hold different values, which depend on one or two
 * bits of a lane's number alone? A butterfly of shuffles that fuses the products of its first step
 * leaves two sums, by the bit that this step exchanges: all lanes with the same bit add the same
 * terms, in trees that rounding cannot tell apart. Lanes that store elements of their own to one
 * place by mistake differ by every bit, however near their values lie. */
COLD static int by_lane_bits(Wave *w, u64 mask, u32 size, u32 row, u32 lane) {
  u8 values[MAX_LANES][32], first[1 << MOST_SUMS];
  u64 same = 0;
  u32 bits = 0, found = 0;
  for (u64 left = mask; left; left &= left - 1) {
    u32 l = lowest(left);
    if (w->address[l] != w->address[lane]) continue;
    same |= 1ull << l;
    from_rows(&w->value[row], values[l], l, 1, size);
  }
  for (u64 left = same; left; left &= left - 1)
    for (u32 l = lowest(left), bit = 1; bit < MAX_LANES; bit *= 2)
      if (same >> (l ^ bit) & 1 && !same_contents(values[l], values[l ^ bit], size)) bits |= bit;
  u32 count = (u32)__builtin_popcount(bits), low = bits & -bits;
  if (!bits || count > MOST_SUMS) return 0;
  for (u64 left = same; left; left &= left - 1) {
    u32 l = lowest(left), held = (l & low ? 1 : 0) | (l & bits & ~low ? 2 : 0);
    if (!(found >> held & 1)) first[held] = (u8)l;
    found |= 1u << held;
    if (!same_contents(values[l], values[first[held]], size)) return 0;
  }
  return 1;
}

/* Bytes to which lanes of one store wrote different values hold any of them: they are undefined. */
COLD static void lanes_differ(const Access *a, Memory *m, u32 lane, u64 offset, const u8 *own,
                              u32 size, int copies) {
  if (copies && one_value(m->data + offset, own, size)) {
    note_replicas(a, m, lane, offset, size);
    return;
  }
  if (!a->w->launch->precise) {
    a->w->stop = STOP_IMPRECISE;
    return;
  }
  for (u64 at = offset; at < offset + size; at++) {
    if (m->data[at] == own[at - offset]) continue;
    use_bits(m, at >> PAGE_SHIFT);
    set_undefined(m, at, 0xff,
                  lm_origin(a->w, ORIGIN_LANES, a->instruction, lane, m->space, m->base + at));
  }
}

static void compare_lanes(const Access *a, u64 mask, u32 size, u32 row) {
  Wave *w = a->w;
  for (u64 left = mask; left && !w->stop; left &= left - 1) {
    u32 lane = lowest(left);
    u64 offset;
    u8 own[32];
    Memory *m = memory_at(w, a->space, w->address[lane], size, &offset);
    if (!m || m->space == SPACE_PRIVATE || m->read_only) continue;
    from_rows(&w->value[row], own, lane, 1, size);
    if (same_contents(m->data + offset, own, size)) continue;
    int copies = !w->launch->strict && by_lane_bits(w, mask, size, row, lane);
    lanes_differ(a, m, lane, offset, own, size, copies);
  }
}

/* Are all bits of the values defined, in lanes that do not store, too? */
static int rows_defined(const Wave *w, u32 row, u32 size) {
  for (u32 end = row + (size + 3) / 4; row < end; row++)
    if (row_undefined(w, row)) return 0;
  return 1;
}

void lm_store(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
              u32 kind) {
  if (!mask) return;
  if (!(kind & ACCESS_DEFINED) && rows_defined(w, row, size)) kind |= ACCESS_DEFINED;
  Access a = begin_lanes(w, instruction, space, ACCESS_STORE | kind, align, mask, size);
  if (lanes_followed(w)) lanes_access(&a, mask, size, row, 0);
  if (space == SPACE_PRIVATE && private_words(&a, mask, size, row, 1)) return;
  Ranges s = ranges_of(w, space, mask, size, 0);
  int quick = may_be_quick(&a);
  while (s.left) {
    u32 count;
    if (quick) quick_stores(&s, &a, row);
    if (!s.left) break;
    Range r = next_range(&s, w, &count);
    store_range(&a, &r, count, size, row, quick);
  }
  int one_run = __builtin_popcountll(s.joined) + 1 == __builtin_popcountll(mask);
  if (w->launch->lanes_part && !one_run && !(kind & ACCESS_RELAXED) && may_meet(w, mask, size))
    compare_lanes(&a, mask, size, row);
}

/* Read bytes as a lane sees them, for the host (printf). Returns 0 where no memory has them. */
u32 lm_peek(Wave *w, u32 lane, u64 address, u64 size, u8 *out) {
  u64 offset;
  Memory *m = memory_at(w, SPACE_GENERIC, address, size, &offset);
  if (!m) return 0;
  for (u64 i = 0; i < size; i++) {
    u64 place = offset + i;
    if (m->space == SPACE_PRIVATE) place = private_place(w, lane, place);
    if (m->pages[place >> PAGE_SHIFT] >> PAGE_TAG_SHIFT != m->tag)
      touch_page(w, m, place >> PAGE_SHIFT, 0);
    out[i] = m->data[place];
  }
  return 1;
}

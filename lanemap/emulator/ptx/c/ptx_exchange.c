/* PTX: values that lanes of a warp take from other lanes. */
#include "access.h"
#include "lanes.h"
#include "ptx_warp.h"

/* A scratch row of a warp. */
typedef u32 Row __attribute__((ext_vector_type(32)));
typedef i32 SignedRow __attribute__((ext_vector_type(32)));
typedef _Bool Flags __attribute__((ext_vector_type(32)));

typedef u32 StoredRow __attribute__((ext_vector_type(32), aligned(64)));

static Row row_of(const u32 *place) { return *(const StoredRow *)place; }

static void set_row(u32 *place, Row row) { *(StoredRow *)place = row; }

static const Row lane_number = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* Lanes in `mask` as all ones, the others as 0. */
static Row in_mask(u32 mask) { return (Row)(((Row)mask >> lane_number & 1) != 0); }

static u32 mask_of(Row flags) {
  Flags bits = __builtin_convertvector(flags, Flags);
  u32 mask;
  __builtin_memcpy(&mask, &bits, sizeof mask);
  return mask;
}

static void take_row(Wave *w, u32 out, u32 lane, u32 value, u32 undefined, u32 origin) {
  w->value[out][lane] = value;
  w->undefined[out][lane] = undefined;
  w->origin[out][lane] = origin;
  if (undefined && !w->launch->precise) w->stop = STOP_IMPRECISE;
}

/* Why a lane has no value for a lane that reads from it. */
static u32 absent(Wave *w, u32 from, u32 members) {
  if (!(warp_of(w)->alive >> from & 1)) return ABSENT_ENDED;
  return members >> from & 1 ? ABSENT_ELSEWHERE : ABSENT_EXCLUDED;
}

enum Shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };

/* The lane that each lane reads; all ones in `in_range` where it is the one asked for. */
static Row shuffle_sources(u32 mode, Row by, Row clamp, Row *in_range) {
  Row lane = lane_number, segment = clamp >> 8 & 31, least = lane & segment;
  SignedRow most = (SignedRow)(least | (clamp & 31 & ~segment)), asked;
  by &= 31;
  switch (mode) {
  case SHUFFLE_UP: asked = (SignedRow)(lane - by); break;
  case SHUFFLE_DOWN: asked = (SignedRow)(lane + by); break;
  case SHUFFLE_BUTTERFLY: asked = (SignedRow)(lane ^ by); break;
  default: asked = (SignedRow)(least | (by & ~segment));
  }
  *in_range = ~(Row)((mode == SHUFFLE_UP ? asked - most : most - asked) >> 31);
  return ((*in_range & (Row)asked) | (~*in_range & lane)) & 31;
}

void lm_ptx_shuffle_sources(u32 mode, u32 by, u32 clamp, u32 *sources, u32 *in_range) {
  Row inside, from = shuffle_sources(mode, (Row)by, (Row)clamp, &inside);
  __builtin_memcpy(sources, &from, sizeof from);
  __builtin_memcpy(in_range, &inside, sizeof inside);
}

/* A shfl.sync of all lanes that generated code does itself: a lane that reads one that does not
 * execute has no value. */
void lm_ptx_shuffled(Wave *w, u64 mask, u32 mode, u32 by, u32 clamp) {
  if ((u32)mask == ~0u) return;
  Row in_range, from = shuffle_sources(mode, (Row)by, (Row)clamp, &in_range);
  for (u32 i = 0; i < LANES; i++)
    if (mask >> i & 1 && !(mask >> from[i] & 1)) w->stop = STOP_IMPRECISE;
}

/* A shfl.sync.idx of all lanes, each of any lane: defined values in row `row`, where they are
 * replaced, and the lanes in the next. A lane that reads one that does not execute has no value. */
void lm_ptx_shuffle_any(Wave *w, u64 mask, u32 row) {
  EightLanes from[LANES / 8], value[LANES / 8];
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < LANES / 8; i++) {
    from[i] = LOAD(EightLanes, &w->value[row + 1][8 * i]) & (LANES - 1);
    value[i] = chosen_of_32(w->value[row], from[i]);
  }
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < LANES / 8; i++)
      STORE(&w->value[row][8 * i], value[i]);
  if ((u32)mask == ~0u) return;
  for (u32 i = 0; i < LANES; i++)
    if (mask >> i & 1 && !(mask >> (w->value[row + 1][i] & (LANES - 1)) & 1))
      w->stop = STOP_IMPRECISE;
}

/* shfl.sync (PTX ISA, shfl): rows value, b, c, member masks; the result in row `row`, the
 * predicate in row + 3. What is read from a lane that does not execute, or is no member, is
 * undefined. */
void lm_ptx_shuffle(Wave *w, u32 instruction, u64 mask, u32 row, u32 mode) {
  Row in_range, chosen = shuffle_sources(mode, row_of(w->value[row + 1]), row_of(w->value[row + 2]),
                                         &in_range);
  Row sets = row_of(w->value[row + 3]), unknown = row_of(w->undefined[row]);
  u32 from[LANES], value[LANES];
  __builtin_memcpy(from, &chosen, sizeof from);
  for (u32 i = 0; i < LANES; i += 8)
    STORE(value + i, chosen_of_32(w->value[row], LOAD(EightLanes, from + i)));
  /* The common case: every lane executes and is a member of each, and every value is defined. */
  if ((u32)mask == ~0u && !~__builtin_reduce_and(sets) && !__builtin_reduce_or(unknown)) {
    __builtin_memcpy(w->value[row], value, sizeof value);
    set_row(w->value[row + 3], in_range & 1);
    return;
  }
  u32 undefined[LANES], origin[LANES], inside = mask_of(in_range);
  __builtin_memcpy(undefined, w->undefined[row], sizeof undefined);
  __builtin_memcpy(origin, w->origin[row], sizeof origin);
  for (u32 i = 0; i < LANES; i++) {
    if (!(mask >> i & 1)) continue;
    u32 members = w->value[row + 3][i];
    w->value[row + 3][i] = inside >> i & 1;
    if (mask & members & 1ull << from[i])
      take_row(w, row, i, value[i], undefined[from[i]], origin[from[i]]);
    else
      take_row(w, row, i, value[i], ~0u,
               lm_origin(w, ORIGIN_ABSENT, instruction, i, absent(w, from[i], members), from[i]));
  }
}

/* For each lane the lanes that have its value. */
static COLD Row lanes_with(Row values, const u32 *words) {
  Row found = 0;
  for (u32 lane = 0; lane < LANES; lane++) found |= (Row)(values == words[lane]) & 1u << lane;
  return found;
}

typedef short Hashes __attribute__((ext_vector_type(16)));
typedef short HashRow __attribute__((ext_vector_type(32)));
typedef signed char ByteRow __attribute__((ext_vector_type(32)));

/* The lanes whose hashes are one: `first` has those of lanes 0 to 7 and 16 to 23, `second` the
 * others, which AVX2 packs into the order of lanes. */
INLINE u32 lanes_of_hash(Hashes first, Hashes second, Hashes one) {
  ByteRow low = (ByteRow)(first == one), high = (ByteRow)(second == one);
  ByteRow all =
      __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 32, 34, 36, 38, 40, 42, 44, 46,
                              16, 18, 20, 22, 24, 26, 28, 30, 48, 50, 52, 54, 56, 58, 60, 62);
  Flags bits = __builtin_convertvector(all < 0, Flags);
  u32 mask;
  __builtin_memcpy(&mask, &bits, sizeof mask);
  return mask;
}

/* The same by 16 bits of each value: its own, where all others are alike, else bits of a product.
 * If two values have one hash the words are compared. */
static Row lanes_alike(Row values, const u32 *words) {
  int own = !(__builtin_reduce_or(values ^ words[0]) >> 16);
  HashRow hash = __builtin_convertvector(own ? values : values * 0x9e3779b1 >> 16, HashRow);
  Hashes first =
      __builtin_shufflevector(hash, hash, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  Hashes second = __builtin_shufflevector(hash, hash, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                          28, 29, 30, 31);
  short of[LANES];
  u32 lanes[LANES], leaders[LANES];
  __builtin_memcpy(of, &hash, sizeof of);
  _Pragma("clang loop unroll_count(8)") for (u32 i = 0; i < LANES; i++) lanes[i] =
      lanes_of_hash(first, second, (Hashes)of[i]);
  Row found = LOAD(Row, lanes);
  if (own) return found;
  /* The lowest bit's number, from the exponent of its float; the sign's is beyond those bits. */
  typedef float FloatRow __attribute__((ext_vector_type(32)));
  FloatRow lowest_bits = __builtin_convertvector((SignedRow)(found & -found), FloatRow);
  STORE(leaders, ((Row)lowest_bits >> 23) - 127);
  for (u32 i = 0; i < LANES; i += 8)
    STORE(lanes + i, chosen_of_32(words, LOAD(EightLanes, leaders + i)));
  Row differs = LOAD(Row, lanes) ^ values;
  return __builtin_reduce_or(differs) ? lanes_with(values, words) : found;
}

/* match.sync: values in rows row and row + 1, member masks in row + 2. `all`: the member mask,
 * or 0 where some value differs, and in row + 3 whether none does; else the members with the
 * lane's value. */
void lm_ptx_match(Wave *w, u32 instruction, u64 mask, u32 row, u32 all) {
  (void)instruction;
  Row high = row_of(w->value[row + 1]), sets = row_of(w->value[row + 2]) & (u32)mask;
  Row equal = lanes_alike(row_of(w->value[row]), w->value[row]) & sets;
  if (__builtin_reduce_or(high)) equal &= lanes_alike(high, w->value[row + 1]);
  Row alike = (Row)(equal == sets);
  set_row(w->value[row], all ? sets & alike : equal);
  set_row(w->value[row + 3], alike);
}

/* redux.sync: values in row, member masks in row + 1. */
enum Reduce {
  REDUCE_ADD,
  REDUCE_SMIN,
  REDUCE_SMAX,
  REDUCE_UMIN,
  REDUCE_UMAX,
  REDUCE_AND,
  REDUCE_OR,
  REDUCE_XOR
};

static u32 reduction(u32 operation, Row value, Row lanes) {
  Row or_zeros = value & lanes, or_ones = value | ~lanes;
  switch (operation) {
  case REDUCE_SMIN: return (u32)__builtin_reduce_min((SignedRow)(or_zeros | (~lanes & 0x7fffffff)));
  case REDUCE_SMAX: return (u32)__builtin_reduce_max((SignedRow)(or_zeros | (~lanes & 0x80000000)));
  case REDUCE_UMIN: return __builtin_reduce_min(or_ones);
  case REDUCE_UMAX: return __builtin_reduce_max(or_zeros);
  case REDUCE_AND: return __builtin_reduce_and(or_ones);
  case REDUCE_OR: return __builtin_reduce_or(or_zeros);
  case REDUCE_XOR: return __builtin_reduce_xor(or_zeros);
  default: return __builtin_reduce_add(or_zeros);
  }
}

/* Of defined values in row, over `lanes`: all lanes have the same members. */
u32 lm_ptx_reduce_all(Wave *w, u64 lanes, u32 row, u32 operation) {
  return reduction(operation, row_of(w->value[row]), in_mask((u32)lanes));
}

/* Lanes with the same members get the same result. */
void lm_ptx_reduce(Wave *w, u32 instruction, u64 mask, u32 row, u32 operation) {
  (void)instruction;
  Row value = row_of(w->value[row]), undefined = row_of(w->undefined[row]);
  Row sets = row_of(w->value[row + 1]) & (u32)mask;
  Row result = value, unknown = undefined, origin = row_of(w->origin[row]);
  for (u32 left = (u32)mask; left;) {
    u32 members = w->value[row + 1][lowest(left)] & (u32)mask;
    Row lanes = in_mask(members), here = in_mask(left) & (Row)(sets == members);
    u32 any = __builtin_reduce_or(undefined & lanes);
    if (any && !w->launch->precise) w->stop = STOP_IMPRECISE;
    result = (here & reduction(operation, value, lanes)) | (~here & result);
    unknown = (here & (any ? ~0u : 0)) | (~here & unknown);
    origin &= ~here;
    left &= ~mask_of(here);
  }
  set_row(w->value[row], result);
  set_row(w->undefined[row], unknown);
  set_row(w->origin[row], origin);
}

/* fns: mask, base and offset in three rows. The smallest offset, which has no positive one,
 * gives 0 on an H200. */
void lm_ptx_nth_set(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction;
  for (u32 lane = 0; lane < LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    u32 bits = w->value[row][lane], base = w->value[row + 1][lane];
    i32 offset = (i32)w->value[row + 2][lane],
        left = (i32)(offset < 0 ? 0u - (u32)offset : (u32)offset);
    u32 found = base < 32 && (u32)offset == 0x80000000 ? 0 : ~0u;
    if (base < 32 && !offset) found = bits >> base & 1 ? base : ~0u;
    if (base < 32 && offset)
      for (i32 at = (i32)base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
        if (bits >> at & 1 && --left == 0) {
          found = (u32)at;
          break;
        }
    w->value[row][lane] = found;
  }
}

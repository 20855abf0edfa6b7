/* Conditional exchanges in LDS: DATA is in row 0, where the old value is left, DATA2 in row 2. */
#include "atomics.h"
#include "events.h"

static void exchange_lds(Wave *w, u32 instruction, u64 mask, u32 size, Change change) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, SPACE_SHARED, READ_MODIFY_WRITE, size, mask, size);
  Exchange x = {.size = size};
  exchange(w, &a, mask, 0, 2, &x, change, 0, 0);
}

static void masked_or(Exchange *x) { x->next[0] = (x->old[0] & ~x->operand[0]) | x->compare[0]; }

void lm_masked_or(Wave *w, u32 instruction, u64 mask, u32 size) {
  exchange_lds(w, instruction, mask, size, masked_or);
}

/* Equal as floats: +0 and -0 are, a NaN is not. */
static void compare_floats(Exchange *x) {
  u64 all = x->size == 4 ? 0xffffffffu : ~(u64)0, sign = (all >> 1) + 1, old = x->old[0],
      with = x->operand[0];
  u64 infinite = x->size == 4 ? 0x7f800000u : (u64)0x7ff << 52;
  int zeros = !((old | with) & ~sign), nan = (old & ~sign) > infinite;
  x->next[0] = zeros || (old == with && !nan) ? x->compare[0] : old;
}

void lm_compare_floats(Wave *w, u32 instruction, u64 mask, u32 size) {
  exchange_lds(w, instruction, mask, size, compare_floats);
}

static void wrap(Exchange *x) {
  u32 old = (u32)x->old[0], data = (u32)x->operand[0];
  x->next[0] = old >= data ? old - data : old + (u32)x->compare[0];
}

void lm_wrap(Wave *w, u32 instruction, u64 mask) { exchange_lds(w, instruction, mask, 4, wrap); }

/* Each of two words whose data has the top bit set. */
static void exchange_words(Exchange *x) {
  u64 next = x->old[0];
  for (u32 at = 0; at < 64; at += 32) {
    u64 data = x->operand[0] >> at & 0xffffffff;
    if (data >> 31) next = (next & ~((u64)0xffffffff << at)) | (data & 0x7fffffff) << at;
  }
  x->next[0] = next;
}

void lm_exchange_words(Wave *w, u32 instruction, u64 mask) {
  exchange_lds(w, instruction, mask, 8, exchange_words);
}

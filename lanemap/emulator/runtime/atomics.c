/* Read-modify-write of all lanes, one lane after the other. */
#include "atomics.h"
#include "events.h"
#include "memory_model.h"
#include "pages.h"

static u64 narrow(u64 value, u32 size) { return size == 8 ? value : value & 0xffffffffull; }

static i64 sign(u64 value, u32 size) { return size == 8 ? (i64)value : (i64)(i32)value; }

static double to_float(u64 bits, u32 size) {
  union {
    u64 u;
    double d;
  } wide = {bits};
  union {
    u32 u;
    float f;
  } single = {(u32)bits};
  return size == 8 ? wide.d : single.f;
}

static u64 from_float(double value, u32 size) {
  union {
    double d;
    u64 u;
  } wide = {value};
  union {
    float f;
    u32 u;
  } single = {(float)value};
  return size == 8 ? wide.u : single.u;
}

u64 add_floats(u64 a, u64 b, u32 size) {
  if (size == 8) return from_float(to_float(a, 8) + to_float(b, 8), 8);
  return from_float((float)((float)to_float(a, 4) + (float)to_float(b, 4)), 4);
}

u64 atomic_result(u32 operation, u64 old, u64 operand, u64 compare, u32 size) {
  switch (operation) {
  case ATOMIC_ADD: return old + operand;
  case ATOMIC_SUB: return old - operand;
  case ATOMIC_RSUB: return operand - old;
  case ATOMIC_SMIN: return sign(old, size) < sign(operand, size) ? old : operand;
  case ATOMIC_SMAX: return sign(old, size) > sign(operand, size) ? old : operand;
  case ATOMIC_UMIN: return old < operand ? old : operand;
  case ATOMIC_UMAX: return old > operand ? old : operand;
  case ATOMIC_AND: return old & operand;
  case ATOMIC_OR: return old | operand;
  case ATOMIC_XOR: return old ^ operand;
  case ATOMIC_INC: return old >= operand ? 0 : old + 1;
  case ATOMIC_DEC: return old == 0 || old > operand ? operand : old - 1;
  case ATOMIC_EXCHANGE: return operand;
  case ATOMIC_CAS: return old == compare ? operand : old;
  case ATOMIC_FADD: return add_floats(old, operand, size);
  case ATOMIC_FMIN: return to_float(operand, size) < to_float(old, size) ? operand : old;
  case ATOMIC_FMAX: return to_float(operand, size) > to_float(old, size) ? operand : old;
  default: return old;
  }
}

static void take_words(const Wave *w, u32 row, u32 lane, u32 size, u64 *value) {
  value[0] = w->value[row][lane];
  if (size == 2) value[0] &= 0xffff;
  if (size >= 8) value[0] |= (u64)w->value[row + 1][lane] << 32;
  value[1] = size == 16 ? w->value[row + 2][lane] | (u64)w->value[row + 3][lane] << 32 : 0;
}

static u32 words_of(u32 size) { return (size + 3) / 4; }

static int same_words(const u64 *a, const u64 *b) { return a[0] == b[0] && a[1] == b[1]; }

/* Undefined bits of an operand; `origin` is that of the first word with any. */
static u32 operand_undefined(const Wave *w, u32 row, u32 lane, u32 size, u32 *origin) {
  u32 any = 0;
  for (u32 k = 0; k < words_of(size); k++) {
    u32 bits = w->undefined[row + k][lane] & (size == 2 ? 0xffffu : ~0u);
    if (bits && !any) *origin = w->launch->precise ? w->origin[row + k][lane] : 0;
    any |= bits;
  }
  return any;
}

static u32 bytes_undefined(const u8 *undefined, u32 size, const u32 *origins, u32 *origin) {
  u32 any = 0;
  for (u32 i = 0; i < size; i++) {
    if (undefined[i] && !any) *origin = origins[i];
    any |= undefined[i];
  }
  return any;
}

/* Which bits stay undefined where the operand is defined; returns whether any do. AND with 0 and OR
 * with 1 define a bit; other operations leave no bit of a word that had an undefined one. */
static u32 keep_undefined(const Exchange *x, u8 *undefined) {
  u32 any = 0;
  for (u32 i = 0; i < x->size; i++) {
    u8 operand = (u8)(x->operand[i / 8] >> (8 * (i % 8)));
    if (x->operation == ATOMIC_AND) undefined[i] &= operand;
    else if (x->operation == ATOMIC_OR) undefined[i] &= (u8)~operand;
    else undefined[i] = 0xff;
    any |= undefined[i];
  }
  return any;
}

/* The old value and its undefined bits to rows. */
static void give_words(Wave *w, u32 row, u32 lane, const Exchange *x, const u8 *undefined,
                       u32 origin) {
  for (u32 k = 0; k < words_of(x->size); k++) {
    u32 unknown = 0;
    for (u32 i = 0; i < 4 && 4 * k + i < x->size; i++)
      unknown |= (u32)undefined[4 * k + i] << (8 * i);
    w->value[row + k][lane] = (u32)(x->old[k / 2] >> (k % 2 * 32));
    w->undefined[row + k][lane] = unknown;
    w->origin[row + k][lane] = unknown ? origin : 0;
  }
}

/* Whether a compare operand was read in a race. The comparison itself then checks the value. */
static int validated(const Wave *w, u32 row, u32 lane, u32 size) {
  u32 origin = 0;
  return operand_undefined(w, row, lane, size, &origin) && from_race(w, origin);
}

/* Read, change and write one lane's bytes, which `exchange_at` has found. */
static void change_lane(Wave *w, const Access *a, Range *r, Memory *m, u64 offset, u32 row,
                        u32 compare_row, Exchange *x, Change change, int replaces, int compares) {
  u8 *bytes = r->data, undefined[MOST_ATOMIC] = {0};
  u32 origins[MOST_ATOMIC] = {0}, origin = 0, mine = 0, lane = r->lane;
  if (w->launch->precise) r->undefined = undefined, r->origin = origins;
  read_bytes(a, r, m, offset);
  x->old[0] = x->old[1] = 0;
  copy_bytes((u8 *)x->old, bytes, x->size);
  take_words(w, row, lane, x->size, x->operand);
  take_words(w, compare_row, lane, x->size, x->compare);
  x->next[0] = x->operand[0], x->next[1] = x->operand[1];
  x->global = m->space == SPACE_GLOBAL;
  u32 before = bytes_undefined(undefined, x->size, origins, &origin);
  u32 bad = operand_undefined(w, row, lane, x->size, &mine);
  int stores = !compares || same_words(x->old, x->compare);
  if (compares) {
    u32 compared = 0, theirs = 0;
    if (validated(w, compare_row, lane, x->size)) {
      for (u32 k = 0; k < words_of(x->size); k++) w->undefined[compare_row + k][lane] = 0;
      if (bad && from_race(w, mine)) bad = 0;
    } else {
      compared = operand_undefined(w, compare_row, lane, x->size, &theirs);
      if (compared && !bad) mine = theirs;
    }
    bad |= compared;
  }
  if (!compares) change(x);
  give_words(w, row, lane, x, undefined, origin);
  if (!stores) return;
  if (!same_words(x->next, x->old)) w->launch->changes++;
  if (bad && x->global) race_decides(w, a->instruction, lane, mine, DECIDES_MEMORY);
  u32 stays = before && !replaces && !bad ? keep_undefined(x, undefined) : 0;
  for (u32 i = 0; i < x->size; i++) {
    if (!stays) undefined[i] = bad ? 0xff : 0;
    origins[i] = stays ? origin : mine;
  }
  bad |= stays;
  copy_bytes(bytes, (u8 *)x->next, x->size);
  r->undefined = bad ? undefined : 0;
  r->origin = origins;
  write_bytes(a, r, m, offset);
}

/* Threads that change a place at once take turns: in an order that shows nowhere
 * (Program.independent).
 */
static void exchange_lane(Wave *w, const Access *a, u32 lane, u32 row, u32 compare_row, Exchange *x,
                          Change change, int replaces, int compares) {
  u8 bytes[MOST_ATOMIC];
  u64 offset;
  Range r = {w->address[lane], x->size, 0, lane, bytes, 0, 0, 0};
  Memory *m = exchange_at(a, &r, &offset);
  if (!m) return;
  u32 *lock = locks_lines(w->launch, m)
                  ? &w->launch->shared->line_locks[line_lock(m, offset / LINE_BYTES)]
                  : 0;
  if (lock) take_lock(lock);
  change_lane(w, a, &r, m, offset, row, compare_row, x, change, replaces, compares);
  if (lock) give_lock(lock);
}

void exchange(Wave *w, const Access *a, u64 mask, u32 row, u32 compare_row, Exchange *x,
              Change change, int replaces, int compares) {
  if (lanes_followed(w)) lanes_access(a, mask, x->size, row, 0);
  for (u64 left = mask; left; left &= left - 1)
    exchange_lane(w, a, lowest(left), row, compare_row, x, change, replaces, compares);
}

static void change_number(Exchange *x) {
  x->next[0] = narrow(atomic_result(x->operation, x->old[0], x->operand[0], x->compare[0], x->size),
                      x->size);
}

/* `size` is 4 or 8 bytes. */
void lm_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
               u32 compare_row, u32 operation, u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, READ_MODIFY_WRITE | kind, align, mask, size);
  Exchange x = {.operation = operation, .size = size};
  exchange(w, &a, mask, row, compare_row, &x, change_number, operation == ATOMIC_EXCHANGE,
           operation == ATOMIC_CAS);
}

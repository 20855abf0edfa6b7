/* Atomics of PTX on floats, 16-bit values and pairs of them; discarding of memory. */
#include "ptx_atomics.h"
#include "atomics.h"
#include "events.h"
#include "tensor.h"

static u64 flushed(u64 bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

static int holds_nan(u64 bits, u32 size) {
  return size == 8 ? (bits & ~(1ull << 63)) > 0x7ff0000000000000 : (bits & 0x7fffffff) > 0x7f800000;
}

/* PTX ISA, atom.add: of f32 in global memory subnormal operands and results are zeros. Which NaN
 * the result is, it leaves open: as on an H200, of f32 always 0x7fffffff; of f64 in global
 * memory the operand, else what was there, neither made quiet. */
u64 add_as_ptx(u64 old, u64 operand, u32 size, int global) {
  if (size == 8) {
    if (global && holds_nan(operand, 8)) return operand;
    if (global && holds_nan(old, 8)) return old;
    return add_floats(old, operand, 8);
  }
  if (global) old = flushed(old), operand = flushed(operand);
  u64 sum = add_floats(old, operand, 4);
  if (holds_nan(sum, 4)) return 0x7fffffff;
  return global ? flushed(sum) : sum;
}

static void add_number(Exchange *x) {
  x->next[0] = add_as_ptx(x->old[0], x->operand[0], x->size, x->global);
}

/* Operand and old value in rows row...; `size` is 4 or 8 bytes. */
void lm_ptx_add_floats(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
                       u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, READ_MODIFY_WRITE | kind, align, mask, size);
  Exchange x = {.size = size};
  exchange(w, &a, mask, row, row, &x, add_number, 0, 0);
}

static u32 canonical_half(u32 code, u32 format) {
  u32 magnitude = code & 0x7fff;
  return magnitude > (format == FORMAT_F16 ? 0x7c00u : 0x7f80u) ? 0x7fff : code & 0xffff;
}

/* One half: exact in f32, so a single rounding is correct. */
u32 half_operation(u32 operation, u32 format, u32 old, u32 operand) {
  float a = decode(format, old & 0xffff), b = decode(format, operand & 0xffff);
  if (operation == HALF_ADD) return canonical_half(encode(format, a + b, 0), format);
  if (a != a) return canonical_half(operand, format);
  if (b != b) return canonical_half(old, format);
  int less = a < b || (a == b && old >> 15 & 1);
  return (operation == HALF_MIN) == less ? old & 0xffff : operand & 0xffff;
}

static void keep_operand(Exchange *x) { (void)x; }

static void change_halves(Exchange *x) {
  u32 old = (u32)x->old[0], operand = (u32)x->operand[0];
  u32 next = half_operation(x->operation, x->format, old, operand);
  if (x->size == 4) next |= half_operation(x->operation, x->format, old >> 16, operand >> 16) << 16;
  x->next[0] = next;
}

/* Operand (of cas: the new value) in row 0, the value to compare with in row 1; the old value is
 * left in row 0. `size` is 2 or 4 bytes. */
void lm_ptx_half_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align,
                        u32 operation, u32 bf16, u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, READ_MODIFY_WRITE | kind, align, mask, size);
  Exchange x = {.operation = operation, .size = size, .format = bf16 ? FORMAT_BF16 : FORMAT_F16};
  int replaces = operation == HALF_CAS || operation == HALF_EXCHANGE;
  exchange(w, &a, mask, 0, 1, &x, replaces ? keep_operand : change_halves,
           operation == HALF_EXCHANGE, operation == HALF_CAS);
}

/* 16 bytes: the new value in rows 0 to 3, with `compare` the one to compare with in rows 4 to 7;
 * the old value is left in rows 0 to 3. */
void lm_ptx_wide_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 compare, u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, READ_MODIFY_WRITE | kind, 16, mask, 16);
  Exchange x = {.size = 16};
  exchange(w, &a, mask, 0, 4, &x, keep_operand, !compare, (int)compare);
}

/* st.bulk: zeros at each lane's address, as many bytes as rows row and row + 1 say. */
void lm_store_bulk(Wave *w, u32 instruction, u32 space, u64 mask, u32 row) {
  static u8 zeros[PAGE_BYTES];
  if (!mask) return;
  Access a = begin_access(w, instruction, space, ACCESS_STORE, 1);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), bytes;
    u64 size = w->value[row][lane] | (u64)w->value[row + 1][lane] << 32;
    if (size % 8 || size > 1 << 24) {
      report_rule(w, instruction, 1ull << lane, RULE_STORE_SIZE, size, 0, 0);
      continue;
    }
    tell_bytes(&a, 1ull << lane, size);
    for (u64 done = 0; done < size; done += bytes) {
      bytes = size - done < PAGE_BYTES ? (u32)(size - done) : PAGE_BYTES;
      Range r = {w->address[lane] + done, bytes, 0, lane, zeros, 0, 0, 0};
      if (!access(&a, &r)) break;
    }
  }
}

/* Make the bytes at each lane's address undefined. */
void lm_ptx_discard(Wave *w, u32 instruction, u32 space, u64 mask, u32 size) {
  if (!mask) return;
  Access a = begin_access(w, instruction, space, ACCESS_STORE, size);
  for (u64 left = mask; left; left &= left - 1) {
    u64 offset;
    u8 bytes[128] = {0}, undefined[128];
    Range r = {w->address[lowest(left)], size, 0, lowest(left), bytes, undefined, 0, 0};
    fill_bytes(undefined, 0xff, sizeof undefined);
    Memory *m = exchange_at(&a, &r, &offset);
    if (m) undefine(&a, lowest(left), m, offset, size);
  }
}

/* Read-modify-write of all lanes, one lane after the other. */
#include "access.h"

enum Atomic {
  ATOMIC_ADD, ATOMIC_SUB, ATOMIC_RSUB, ATOMIC_SMIN, ATOMIC_SMAX, ATOMIC_UMIN, ATOMIC_UMAX,
  ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC, ATOMIC_EXCHANGE, ATOMIC_CAS,
  ATOMIC_FADD, ATOMIC_FMIN, ATOMIC_FMAX, ATOMIC_PTX_FADD
};

static u64 narrow(u64 value, u32 size) { return size == 8 ? value : value & 0xffffffffull; }

static i64 sign(u64 value, u32 size) { return size == 8 ? (i64)value : (i64)(i32)value; }

static double to_float(u64 bits, u32 size) {
  union { u64 u; double d; } wide = {bits};
  union { u32 u; float f; } single = {(u32)bits};
  return size == 8 ? wide.d : single.f;
}

static u64 from_float(double value, u32 size) {
  union { double d; u64 u; } wide = {value};
  union { float f; u32 u; } single = {(float)value};
  return size == 8 ? wide.u : single.u;
}

static u64 add_floats(u64 a, u64 b, u32 size) {
  if (size == 8) return from_float(to_float(a, 8) + to_float(b, 8), 8);
  return from_float((float)((float)to_float(a, 4) + (float)to_float(b, 4)), 4);
}

static u64 flushed(u64 bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

static int holds_nan(u64 bits, u32 size) {
  return size == 8 ? (bits & ~(1ull << 63)) > 0x7ff0000000000000 : (bits & 0x7fffffff) > 0x7f800000;
}

/* PTX ISA, atom.add: of f32 in global memory subnormal operands and results are zeros. Which NaN the
 * result is, it leaves open: as on an H200, of f32 always 0x7fffffff; of f64 in global memory the
 * operand, else what was there, neither made quiet. */
static u64 ptx_add_floats(u64 old, u64 operand, u32 size, int global) {
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

static u64 apply(u32 operation, u64 old, u64 operand, u64 compare, u32 size) {
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

static u64 row_value(const Wave *w, u32 row, u32 lane, u32 size) {
  u64 value = w->value[row][lane];
  return size == 8 ? value | (u64)w->value[row + 1][lane] << 32 : value;
}

/* Operand in rows row.., the value to compare with in rows compare_row..; the old value is left in
 * rows row... `size` is 4 or 8 bytes. An undefined operand makes memory undefined. */
void lm_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
               u32 compare_row, u32 operation, u32 kind) {
  next_access(w, space);
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 address = w->address[lane];
    Place p;
    if (!resolve(w, space, lane, address, size, &p)) {
      out_of_bounds(w, instruction, space, lane, address, size);
      continue;
    }
    if (address & (align - 1)) {
      misaligned(w, instruction, space, lane, address, align);
      continue;
    }
    if (p.region && p.region->read_only) {
      HazardRecord *h = lm_hazard(w, HAZARD_READ_ONLY, instruction, 1ull << lane);
      h->address = address;
      h->size = size;
      continue;
    }
    order_access(w, instruction, lane, &p, size, ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC | kind,
                 0);
    u64 old = 0, unknown = 0, operand = row_value(w, row, lane, size);
    for (u32 i = 0; i < size; i++) {
      old |= (u64)p.data[i] << (8 * i);
      unknown |= (u64)p.undefined[i] << (8 * i);
    }
    if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    operand = narrow(operand, size);
    u64 next = operation == ATOMIC_PTX_FADD
                   ? ptx_add_floats(old, operand, size, p.space == SPACE_GLOBAL)
                   : apply(operation, old, operand, row_value(w, compare_row, lane, size), size);
    next = narrow(next, size);
    u32 bad = w->undefined[row][lane] || (size == 8 && w->undefined[row + 1][lane]) ||
              (unknown && operation != ATOMIC_EXCHANGE);
    if (next != old) w->launch->changes++;
    for (u32 i = 0; i < size; i++) {
      p.data[i] = (u8)(next >> (8 * i));
      p.undefined[i] = bad ? 0xff : 0;
    }
    w->value[row][lane] = (u32)old;
    w->undefined[row][lane] = (u32)unknown;
    if (size == 8) {
      w->value[row + 1][lane] = (u32)(old >> 32);
      w->undefined[row + 1][lane] = (u32)(unknown >> 32);
    }
  }
}

/* Atomics of PTX on 16-bit values and pairs of them; discarding of memory. */
#include "access.h"
#include "narrow.h"

enum Half { HALF_ADD, HALF_MIN, HALF_MAX, HALF_CAS, HALF_EXCHANGE };

static u32 canonical_half(u32 code, u32 format) {
  u32 magnitude = code & 0x7fff;
  return magnitude > (format == FORMAT_F16 ? 0x7c00u : 0x7f80u) ? 0x7fff : code & 0xffff;
}

/* One half; exact in f32, so that one rounding is right. */
static u32 half_operation(u32 operation, u32 format, u32 old, u32 operand) {
  float a = decode(format, old & 0xffff), b = decode(format, operand & 0xffff);
  if (operation == HALF_ADD) return canonical_half(encode(format, a + b, 0), format);
  if (a != a) return canonical_half(operand, format);
  if (b != b) return canonical_half(old, format);
  int less = a < b || (a == b && old >> 15 & 1);
  return (operation == HALF_MIN) == less ? old & 0xffff : operand & 0xffff;
}

/* Operand (of cas: the new value) in row 0, the value to compare with in row 1; the old value is left
 * in row 0. `size` is 2 or 4 bytes. */
void lm_ptx_half_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align,
                        u32 operation, u32 bf16) {
  u32 format = bf16 ? FORMAT_BF16 : FORMAT_F16;
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
    order_access(w, instruction, lane, &p, size, ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC, 0);
    u32 old = 0, unknown = 0, operand = w->value[0][lane], next;
    for (u32 i = 0; i < size; i++) {
      old |= (u32)p.data[i] << (8 * i);
      unknown |= (u32)p.undefined[i] << (8 * i);
    }
    if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    if (operation == HALF_CAS) {
      u32 bits = size == 2 ? 0xffff : ~0u;
      next = old == (w->value[1][lane] & bits) ? operand : old;
    } else if (operation == HALF_EXCHANGE) {
      next = operand;
    } else {
      next = half_operation(operation, format, old, operand);
      if (size == 4) next |= half_operation(operation, format, old >> 16, operand >> 16) << 16;
    }
    if (next != old) w->launch->changes++;
    u32 bad = w->undefined[0][lane] || unknown;
    for (u32 i = 0; i < size; i++) {
      p.data[i] = (u8)(next >> (8 * i));
      p.undefined[i] = bad ? 0xff : 0;
    }
    w->value[0][lane] = old;
    w->undefined[0][lane] = unknown;
  }
}

/* 16 bytes: the new value in rows 0 to 3, with `compare` the one to compare with in rows 4 to 7; the
 * old value is left in rows 0 to 3. */
void lm_ptx_wide_atomic(Wave *w, u32 instruction, u32 space, u64 mask, u32 compare) {
  next_access(w, space);
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 address = w->address[lane];
    Place p;
    if (!resolve(w, space, lane, address, 16, &p)) {
      out_of_bounds(w, instruction, space, lane, address, 16);
      continue;
    }
    if (address & 15) {
      misaligned(w, instruction, space, lane, address, 16);
      continue;
    }
    order_access(w, instruction, lane, &p, 16, ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC, 0);
    u32 same = 1;
    for (u32 i = 0; compare && i < 16; i++)
      same &= p.data[i] == (u8)(w->value[4 + i / 4][lane] >> (8 * (i % 4)));
    for (u32 row = 0; row < 4; row++) {
      u32 old = 0, unknown = 0, next = w->value[row][lane], bad = w->undefined[row][lane];
      for (u32 i = 0; i < 4; i++) {
        old |= (u32)p.data[4 * row + i] << (8 * i);
        unknown |= (u32)p.undefined[4 * row + i] << (8 * i);
        if (!same) continue;
        w->launch->changes += p.data[4 * row + i] != (u8)(next >> (8 * i));
        p.data[4 * row + i] = (u8)(next >> (8 * i));
        p.undefined[4 * row + i] = (u8)(bad >> (8 * i));
      }
      w->value[row][lane] = old;
      w->undefined[row][lane] = unknown;
      if ((unknown || bad) && !w->launch->precise) w->stop = STOP_IMPRECISE;
    }
  }
}

/* The bytes at each lane's address hold nothing any more. */
void lm_ptx_discard(Wave *w, u32 instruction, u32 space, u64 mask, u32 size) {
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    Place p;
    if (!resolve(w, space, lane, w->address[lane], size, &p))
      out_of_bounds(w, instruction, space, lane, w->address[lane], size);
    else fill_bytes(p.undefined, 0xff, size);
  }
}

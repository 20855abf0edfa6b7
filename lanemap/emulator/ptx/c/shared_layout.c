/* Operands in shared memory, where descriptors place them (shared_layout.h). */
#include "shared_layout.h"

enum {
  SWIZZLE_NONE = 0,
  SWIZZLE_128B_ATOM_32B = 1,
  SWIZZLE_128B = 2,
  SWIZZLE_64B = 4,
  SWIZZLE_32B = 6
};

/* Bits that the descriptor of tcgen05 leaves unused. */
#define UNUSED_BITS (3ull << 14 | 3ull << 30 | 0xffull << 53)

/* The swizzles (PTX ISA, tcgen05: Shared Memory Layout and Swizzling). That of 32-byte atoms has
 * an atom for MN-major operands alone. */
static int swizzle_of(u32 code, u32 mn, SharedLayout *l) {
  l->shift = 4;
  l->group = 8;
  switch (code) {
  case SWIZZLE_NONE: l->mask = 0; break;
  case SWIZZLE_32B: l->mask = 1; break;
  case SWIZZLE_64B: l->mask = 3; break;
  case SWIZZLE_128B: l->mask = 7; break;
  case SWIZZLE_128B_ATOM_32B:
    l->mask = 3;
    l->shift = 5;
    l->group = 4;
    l->width = 128;
    return (int)mn;
  default: return 0;
  }
  l->width = (l->mask + 1) * 16;
  return 1;
}

/* The base offset is the number of the 128-byte row with which the pattern begins, where that is
 * no multiple of the pattern's size (PTX ISA, Matrix base offset). Where it is one, the pattern
 * goes by the address, and an operand may begin with any row of it: an H200 reads those of wgmma
 * so. With a base offset no source has an operand begin elsewhere than with the pattern. */
int read_descriptor(Wave *w, u32 instruction, u32 lane, u64 descriptor, u32 mn, u32 bits,
                    SharedLayout *l) {
  u64 bit = 1ull << lane;
  u32 code = descriptor_field(descriptor, 61, 3);
  if (descriptor_field(descriptor, 46, 3) != 1 || descriptor & UNUSED_BITS) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_FIXED, descriptor, 0, 0);
    return 0;
  }
  *l = (SharedLayout){.start = descriptor_field(descriptor, 0, 14) * 16,
                      .leading = descriptor_field(descriptor, 16, 14) * 16,
                      .stride = descriptor_field(descriptor, 32, 14) * 16,
                      .base = descriptor_field(descriptor, 49, 3),
                      .mn = mn,
                      .bits = bits};
  if (!swizzle_of(code, mn, l)) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_SWIZZLE, code, descriptor, 0);
    return 0;
  }
  if (descriptor_field(descriptor, 52, 1)) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_LEADING, descriptor, 0, 0);
    return 0;
  }
  if (l->base &&
      ((l->start >> 7) - l->base) & l->mask) { /* without a swizzle, Triton sets it too */
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_BASE, l->start, l->base, (l->mask + 1) * 128);
    return 0;
  }
  l->origin = l->mask ? l->start & ~((l->mask + 1) * 128 - 1) : l->start;
  return 1;
}

/* lanemap/model/shared_layout.py; an H200 reads operands of wgmma so. The swizzle counts rows of
 * 128 bytes from the base offset on. */
static u32 formula_place(const SharedLayout *l, u32 line, u32 k) {
  u32 size = lowest(l->bits), unit = 7 - size, bit, byte; /* all sizes are powers of two */
  if (!l->mn) {
    byte = line % 8 * l->width + line / 8 * l->stride + (k >> unit) * (l->mask ? 16 : l->leading);
    bit = (k & ((1u << unit) - 1)) << size;
  } else {
    u32 across = lowest(l->width) + 3 - size, block = line >> across,
        group = k / 4 >> (l->group == 8);
    byte = (k & (l->group - 1)) * l->width + (l->mask ? block * l->leading + group * l->stride
                                                      : block * l->stride + group * l->leading);
    bit = (line & ((1u << across) - 1)) << size;
  }
  byte += l->start + bit / 8;
  byte ^= (((byte >> 7) - l->base) & l->mask) << l->shift;
  return byte * 8 + bit % 8;
}

/* A tile that a map of the model describes: rows, depth, LBO and SBO, and the bit of each
 * element. The descriptor may begin within it: at a later k, or at later lines of another atom,
 * but in its first row. */
u32 element_place(const SharedLayout *l, u32 line, u32 k) {
  const i32 *t = l->tile;
  u32 ignores_leading = l->mask && !l->mn;
  u32 offset = l->start - l->origin;
  if (!t || l->base || (offset >> 7 & l->mask) || (l->leading != (u32)t[2] && !ignores_leading) ||
      l->stride != (u32)t[3])
    return formula_place(l, line, k);
  u32 row = line + (l->mn && l->leading ? offset / l->leading * (l->width * 8 / l->bits) : 0);
  u32 column = k + (l->mn ? 0 : offset * 8 / l->bits);
  if (row >= (u32)t[0] || column >= (u32)t[1] || t[4 + row * (u32)t[1] + column] < 0)
    return formula_place(l, line, k);
  return l->origin * 8 + (u32)t[4 + row * (u32)t[1] + column];
}

View view_of(const SharedLayout *l, const Memory *m, u32 first, u32 lines, u32 k, u32 depth,
             u32 *places) {
  u32 unit = 128 / l->bits, run = l->tile ? 1 : l->mn ? unit : depth < unit ? depth : unit;
  u32 *at = places;
  if (l->mn)
    for (u32 i = k; i < k + depth; i++)
      for (u32 line = first; line < first + lines; line += run) *at++ = element_place(l, line, i);
  else
    for (u32 line = first; line < first + lines; line++)
      for (u32 i = k; i < k + depth; i += run) *at++ = element_place(l, line, i);
  return (View){
      .base = m->data, .places = places, .run = run, .step = l->bits, .along_k = !l->mn, .next = 4};
}

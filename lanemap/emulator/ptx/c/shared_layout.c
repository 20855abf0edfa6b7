/* Operands in shared memory, where descriptors place them (shared_layout.h). */
#include "shared_layout.h"

/* The base offset is the number of the 128-byte row with which the pattern begins, where that is
 * no multiple of the pattern's size (PTX ISA, Matrix base offset). Where it is one, the pattern
 * goes by the address, and an operand may begin with any row of it: an H200 reads those of wgmma
 * so. With a base offset no source has an operand begin elsewhere than with the pattern. */
int read_descriptor(Wave *w, u32 instruction, u32 lane, u64 descriptor, u32 mn, u32 bits,
                    SharedLayout *l) {
  u64 bit = 1ull << lane;
  u32 code = field_of(descriptor, TENSOR_SHARED_SWIZZLE);
  if (field_of(descriptor, TENSOR_SHARED_VERSION) != 1 || descriptor & TENSOR_SHARED_UNUSED) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_FIXED, descriptor, 0, 0);
    return 0;
  }
  *l = (SharedLayout){.start = field_of(descriptor, TENSOR_SHARED_START) * 16,
                      .leading = field_of(descriptor, TENSOR_SHARED_LEADING) * 16,
                      .stride = field_of(descriptor, TENSOR_SHARED_STRIDE) * 16,
                      .base = field_of(descriptor, TENSOR_SHARED_BASE),
                      .mn = mn,
                      .bits = bits,
                      .columns = canonical_layout(mn, code, bits)};
  u32 mask = l->columns->mask;
  if (!l->columns->width) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_SWIZZLE, code, descriptor, 0);
    return 0;
  }
  if (field_of(descriptor, TENSOR_SHARED_LEADING_MODE)) {
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_LEADING, descriptor, 0, 0);
    return 0;
  }
  if (l->base && ((l->start >> 7) - l->base) & mask) { /* without a swizzle, Triton sets it too */
    report_rule(w, instruction, bit, RULE_DESCRIPTOR_BASE, l->start, l->base, (mask + 1) * 128);
    return 0;
  }
  l->origin = mask ? l->start & ~((mask + 1) * 128 - 1) : l->start;
  return 1;
}

/* What the bits of a line's or k's number add up to, in bits. */
static u32 sum_of(const SharedLayout *l, const LayoutColumn *columns, u32 index) {
  u32 bits = 0;
  for (; index; index &= index - 1) {
    const LayoutColumn *c = &columns[lowest(index)];
    bits += c->bits + 8 * (c->leading * l->leading + c->stride * l->stride);
  }
  return bits;
}

/* The bit where what lies `bits` behind the start comes to lie by the swizzle, which counts rows of
 * 128 bytes from the base offset on; an H200 reads operands of wgmma so. */
static u32 swizzled(const SharedLayout *l, u32 bits) {
  const LayoutColumns *c = l->columns;
  u32 byte = l->start + bits / 8;
  return (byte ^ (((byte >> 7) - l->base) & c->mask) << c->shift) * 8 + bits % 8;
}

static u32 canonical_place(const SharedLayout *l, u32 line, u32 k) {
  return swizzled(l, sum_of(l, l->columns->line, line) + sum_of(l, l->columns->k, k));
}

/* A tile that a map of the model describes: rows, depth, LBO and SBO, and the bit of each
 * element. The descriptor may begin within it: at a later k, or at later lines of another atom,
 * but in its first row. */
u32 element_place(const SharedLayout *l, u32 line, u32 k) {
  const i32 *t = l->tile;
  const LayoutColumns *c = l->columns;
  u32 ignores_leading = c->mask && !l->mn;
  u32 offset = l->start - l->origin;
  if (!t || l->base || (offset >> 7 & c->mask) || (l->leading != (u32)t[2] && !ignores_leading) ||
      l->stride != (u32)t[3])
    return canonical_place(l, line, k);
  u32 row = line + (l->mn && l->leading ? offset / l->leading * (c->width * 8 / l->bits) : 0);
  u32 column = k + (l->mn ? 0 : offset * 8 / l->bits);
  if (row >= (u32)t[0] || column >= (u32)t[1] || t[4 + row * (u32)t[1] + column] < 0)
    return canonical_place(l, line, k);
  return l->origin * 8 + (u32)t[4 + row * (u32)t[1] + column];
}

/* The same of `count` numbers from `first` on, `step` apart, a power of two: each is another of
 * them and one bit more, or is summed up. */
static void sums_of(const SharedLayout *l, const LayoutColumn *columns, u32 first, u32 count,
                    u32 step, u32 *sums) {
  u32 bits[INDEX_BITS];
  for (u32 i = 0; i < INDEX_BITS; i++) bits[i] = sum_of(l, columns, 1u << i);
  for (u32 i = 0; i < count; i++) {
    u32 index = first + i * step, rest = index & (index - 1);
    int summed = i && rest >= first && !((rest - first) & (step - 1));
    sums[i] = summed ? sums[(rest - first) >> lowest(step)] + bits[lowest(index)]
                     : sum_of(l, columns, index);
  }
}

/* Places of the runs of a canonical layout: along lines for each k, or along k for each line. */
static void place_runs(const SharedLayout *l, u32 line, u32 lines, u32 k, u32 depth, u32 run,
                       u32 *places) {
  u32 inner[1 << INDEX_BITS], outer[1 << INDEX_BITS], *at = places;
  const LayoutColumns *c = l->columns;
  u32 across = l->mn ? depth : lines, count = (l->mn ? lines : depth) / run;
  sums_of(l, l->mn ? c->line : c->k, l->mn ? line : k, count, run, inner);
  sums_of(l, l->mn ? c->k : c->line, l->mn ? k : line, across, 1, outer);
  for (u32 i = 0; i < across; i++)
    for (u32 j = 0; j < count; j++) *at++ = swizzled(l, outer[i] + inner[j]);
}

View view_of(const SharedLayout *l, const Memory *m, u32 first, u32 lines, u32 k, u32 depth,
             u32 *places) {
  u32 unit = 128 / l->bits, run = l->tile ? 1 : l->mn ? unit : depth < unit ? depth : unit;
  u32 *at = places;
  if (!l->tile) place_runs(l, first, lines, k, depth, run, places);
  else if (l->mn)
    for (u32 i = k; i < k + depth; i++)
      for (u32 line = first; line < first + lines; line++) *at++ = element_place(l, line, i);
  else
    for (u32 line = first; line < first + lines; line++)
      for (u32 i = k; i < k + depth; i++) *at++ = element_place(l, line, i);
  return (View){
      .base = m->data, .places = places, .run = run, .step = l->bits, .along_k = !l->mn, .next = 4};
}

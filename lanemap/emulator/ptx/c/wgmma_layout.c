/* Operands of wgmma in shared memory, where descriptors place them (wgmma.h). */
#include "mbarrier.h"
#include "wgmma.h"

static u32 descriptor_field(u64 word, u32 low, u32 count) { return (u32)(word >> low) & ((1u << count) - 1); }

#define WGMMA_UNUSED_BITS (3ull << 14 | 3ull << 30 | 7ull << 46 | 0x3ffull << 52)

SharedLayout shared_layout_of(Wave *w, u32 instruction, u64 descriptor, u32 mn, u32 bits, u32 depth,
                              const WgmmaForm *f, u32 operand) {
  const u32 widths[4] = {16, 128, 64, 32};
  u32 swizzle = descriptor_field(descriptor, 62, 2), tile = f->tiles[4 * operand + swizzle];
  if (descriptor & WGMMA_UNUSED_BITS)
    tensor_rule(w, instruction, w->active, RULE_WGMMA_DESCRIPTOR, descriptor, descriptor & WGMMA_UNUSED_BITS, 0);
  if (!mn && swizzle && depth * bits / 8 > widths[swizzle])
    tensor_rule(w, instruction, w->active, RULE_WGMMA_NARROW, depth * bits / 8, widths[swizzle], 0);
  return (SharedLayout){descriptor_field(descriptor, 0, 14) * 16, descriptor_field(descriptor, 16, 14) * 16,
                  descriptor_field(descriptor, 32, 14) * 16, descriptor_field(descriptor, 49, 3), widths[swizzle] / 16 - 1,
                  widths[swizzle], mn, bits, tile ? (const i32 *)f + tile : 0};
}

/* The bit at which `run` elements of a line lie, from element k on; N-major and M-major operands have runs of
 * lines. lanemap/model/shared_layout.py, WgmmaTile: an H200 reads so. The swizzle counts rows of 128 bytes from the
 * base offset on. */
static u32 formula_place(const SharedLayout *l, u32 line, u32 k) {
  u32 unit = 128 / l->bits, bit, byte;
  if (!l->mn) {
    byte = line % 8 * l->width + line / 8 * l->stride + k / unit * (l->mask ? 16 : l->leading);
    bit = k % unit * l->bits;
  } else {
    u32 across = l->width * 8 / l->bits, block = line / across;
    byte = k % 8 * l->width + (l->mask ? block * l->leading + k / 8 * l->stride
                                       : block * l->stride + k / 8 * l->leading);
    bit = line % across * l->bits;
  }
  byte += l->start + bit / 8;
  byte ^= (((byte >> 7) - l->base) & l->mask) << 4;
  return byte * 8 + bit % 8;
}

/* A tile that a map of the model describes: rows, depth, LBO and SBO, and the bit of each element. The
 * descriptor may begin within it: at a later k, or at later lines of another atom. */
static u32 element_place(const SharedLayout *l, u32 line, u32 k) {
  const i32 *t = l->tile;
  if (!t || l->base || l->leading != (u32)t[2] || l->stride != (u32)t[3]) return formula_place(l, line, k);
  u32 row = line + (l->mn && l->leading ? l->start / l->leading * (l->width * 8 / l->bits) : 0);
  u32 column = k + (l->mn ? 0 : l->start * 8 / l->bits);
  if (row >= (u32)t[0] || column >= (u32)t[1] || t[4 + row * (u32)t[1] + column] < 0) return formula_place(l, line, k);
  return (u32)t[4 + row * (u32)t[1] + column];
}

View view_of(const SharedLayout *l, const Memory *m, u32 first, u32 lines, u32 k, u32 depth, u32 *places) {
  u32 unit = 128 / l->bits, run = l->tile ? 1 : l->mn ? unit : depth < unit ? depth : unit;
  u32 *at = places;
  if (l->mn)
    for (u32 i = k; i < k + depth; i++)
      for (u32 line = first; line < first + lines; line += run) *at++ = element_place(l, line, i);
  else
    for (u32 line = first; line < first + lines; line++)
      for (u32 i = k; i < k + depth; i += run) *at++ = element_place(l, line, i);
  return (View){.base = m->data, .places = places, .run = run, .step = l->bits, .along_k = !l->mn, .next = 4};
}

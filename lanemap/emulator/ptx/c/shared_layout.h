/* Operands of matrix instructions in shared memory, where descriptors place them. */
#ifndef LANEMAP_SHARED_LAYOUT_H
#define LANEMAP_SHARED_LAYOUT_H
#include "descriptor_fields.h" /* written from lanemap/model/descriptor_fields.py */
#include "shared_layouts.h"    /* written from lanemap/model/shared_tiles.py (lower/facts.py) */
#include "tensor.h"
#include "views.h"

/* What a descriptor says: the canonical layout, by the columns that the model gives, from `start`
 * on; address bits from 7 on, less the base offset, are XORed into those from columns->shift on.
 * `tile`: a tile of the model's map, where somebody replaced it, which begins at `origin`; else
 * null. */
typedef struct SharedLayout {
  u32 start, leading, stride, base, mn, bits, origin;
  const LayoutColumns *columns;
  const i32 *tile;
} SharedLayout;
/* The layout of operands of `bits`, by the code of its swizzle in the descriptor of tcgen05. */
static inline const LayoutColumns *canonical_layout(u32 mn, u32 code, u32 bits) {
  return &SHARED_LAYOUTS[mn][code][lowest(bits)];
}

/* The descriptor of tcgen05, the bits of whose elements are `bits` apart; 0 after a hazard. */
int read_descriptor(Wave *w, u32 instruction, u32 lane, u64 descriptor, u32 mn, u32 bits,
                    SharedLayout *l);
/* The bit at which the element of a line lies. */
u32 element_place(const SharedLayout *l, u32 line, u32 k);
/* Places of lines first .. first + lines - 1 and of `depth` elements from `k` on. */
View view_of(const SharedLayout *l, const Memory *m, u32 first, u32 lines, u32 k, u32 depth,
             u32 *places);
#endif

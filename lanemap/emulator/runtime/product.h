/* Products of matrices that lie in memory: operands and results through `access`, then panel.h. */
#ifndef LANEMAP_PRODUCT_H
#define LANEMAP_PRODUCT_H
#include "access.h"
#include "panel.h"

/* D = A x B + C, D in place of C. Of an operand with a memory the view counts bits from the memory's first
 * byte, `view.base` is not used, and all that the view names is accessed; one without is bytes that the
 * caller has checked. Scales in a memory are codes of 8 bits, by line and block of k. D's runs go along
 * its rows, in whole strips of 16 elements, each in 32 bits: an f16 in their low half, which leaves the high
 * half undefined.
 *
 * The accesses are made for `lane`, under the stamp that the front end's agent has for the instruction. A and
 * B change places where D lies column by column: D transposed is B transposed x A transposed.
 *
 * `detail`: what undefined bits of an operand decide. */
typedef struct Product {
  Operand a, b;
  View a_scales, b_scales, d;
  Memory *a_memory, *b_memory, *scale_memory, *d_memory;
  u64 stamp;
  u32 instruction, lane, depth, detail;
  SumRule rule;
} Product;
enum { PRODUCT_LINES = 256 };   /* most rows, and columns, of D */

/* Access all elements of a view of the access's memory; 0 after a hazard. `detail`: see above. */
int access_view(const Access *a, const View *v, u32 lines, u32 depth, u32 bits, u32 lane, u32 detail);

/* 0 where a hazard kept it from being made, or the engine does not hold it. */
u32 lm_product(Wave *w, const Product *p);
#endif

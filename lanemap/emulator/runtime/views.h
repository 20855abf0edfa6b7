/* Accesses to the elements of a view: operands and results of matrix products that lie in a
 * memory. */
#ifndef LANEMAP_VIEWS_H
#define LANEMAP_VIEWS_H
#include "access.h"
#include "panel.h"

/* Access all elements of a view of the access's memory for `lane`; 0 after a hazard, or where
 * the view spans more bytes than the function holds. The view counts bits from the memory's
 * first byte, and `view.base` is not used. `detail`: what undefined bits decide. The bytes stay
 * where they are: `multiply` reads and writes them. */
u32 lm_access_view(const Access *a, const View *v, u32 lines, u32 depth, u32 bits, u32 lane,
                   u32 detail);
#endif

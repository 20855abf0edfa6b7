/* Operations that are not guaranteed to be complete (pending.c). */
#ifndef LANEMAP_PENDING_H
#define LANEMAP_PENDING_H
#include "runtime.h"

/* An operation is issued, whose registers become pending until a wait for `counter`. */
void lm_issue(Wave *w, u32 counter, u32 instruction, u32 first_register, u32 register_count,
              u32 space, u32 out_of_order);
/* What went apart is over up to `until`. */
void lm_finish_apart(Wave *w, u64 until);
#endif

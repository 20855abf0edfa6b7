/* Groups of copies and of bulk operations. */
#ifndef LANEMAP_COPIES_H
#define LANEMAP_COPIES_H
#include "objects.h"

/* The lanes of a mask issued a copy. */
void note_copy(Wave *w, u64 mask);
void bulks_wait(Wave *w, u64 mask, u32 allowed, u32 reads);
/* A CTA begins: its waves have no asynchronous operations. */
void async_begin(Cta *c);
/* A CTA ends with its last wave: nothing may still read its shared memory, which `rule` says. */
void async_leave(Wave *last, u32 rule);
#endif

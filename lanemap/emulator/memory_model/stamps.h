/* Stamps that records hold: to look for some. */
#ifndef LANEMAP_STAMPS_H
#define LANEMAP_STAMPS_H
#include "memory_model.h"

/* In bytes from .. to - 1 an asynchronous reader is known to be over: the access, which learned
 * that, stands for it. */
void stand_for_reader(const Access *a, Memory *m, u64 from, u64 to, u64 reader);
/* The first stamp in bytes from .. to - 1 that `wanted` accepts, and where; 0 for none. */
typedef int (*Wanted)(const Wave *w, u64 stamp);
u64 find_stamp(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place);
/* The same among writes alone. */
u64 find_write(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place);
#endif

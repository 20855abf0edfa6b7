/* Asynchronous operations: what completes them, and who knows that they are complete (PTX ISA,
 * Memory Consistency Model: asynchronous operations; Data Movement: asynchronous copy).
 *
 * Data moves when an operation is issued. That it is not guaranteed to have moved is what the
 * stamps of its accesses hold: they name what completes the operation. A wave that waits for
 * that knows it, and passes it on as it passes on all that it knows.
 */
#ifndef LANEMAP_COMPLETION_H
#define LANEMAP_COMPLETION_H
#include "objects.h"

/* The stamp of the next operation of a wave that is waited for by number: a copy by lanes, or a
 * bulk operation of one lane. */
u64 next_copy(Wave *w, u32 instruction);
u64 next_bulk(Wave *w, u32 instruction, u32 lane);
/* The next operation that completes bytes of the current phase of an mbarrier. */
u64 next_transaction(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m);
/* A phase of an object is complete, and with it the asynchronous operations that completed its
 * bytes. */
void complete_transactions(const Wave *w, Cta *owner, const Mbarrier *m);
#endif

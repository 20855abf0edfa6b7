/* Which earlier accesses happen before one: asked for every record that it touches (stamps.c). */
#ifndef LANEMAP_HAPPENS_BEFORE_H
#define LANEMAP_HAPPENS_BEFORE_H
#include "memory_model.h"

/* Is the earlier access, which read or wrote, ordered before this one, apart from what is atomic to
 * it? And are the two atomic to each other? */
int before(const Touch *t, u64 earlier, int read);
/* The latest access of a write's member and agent which, with all that came before it, is known to
 * be ordered before this one; 0 where that is not known. */
u64 latest_before(const Touch *t, u64 write);
/* The first stamp of a field, of readers or of writers, that this access is not ordered after; 0
 * for none. The first write of a record. */
u64 unordered(const Touch *t, u64 field, int read);
u64 unordered_write(const Touch *t, const Line *r);
/* Does the access observe the newest of the writes? Is it ordered after a reader that did? */
int observes(const Touch *t, u64 writes);
int after_observer(const Touch *t, u64 readers);
/* Must what waves wrote be handed over before this access? That is where an engine makes it. What
 * they read (`read`) need only have happened before. */
int needs_handing(const Touch *t, int read);
#endif

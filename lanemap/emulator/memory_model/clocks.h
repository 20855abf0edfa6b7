/* What waves make known to each other: through clocks (clocks.c), and between groups through flags
 * (releases.c). */
#ifndef LANEMAP_CLOCKS_H
#define LANEMAP_CLOCKS_H
#include "clock.h"

/* Release: merge the wave's clock, and its own progress, into a clock. Acquire: the other way. */
void lm_publish(const Wave *w, u64 *clock);
void lm_learn(Wave *w, const u64 *clock);
/* Only the part of a clock that passes through an engine's fences. */
void publish_fenced(const Wave *w, u64 *clock);
void receive_fenced(Wave *w, const u64 *clock);
/* Each of `count` clocks is as far as that in `from`, at least. */
void lm_advance(u64 *clock, const u64 *from, u64 count);
/* Release to the GPU what the wave knows and its own first `own` accesses; acquire what the flags
 * carry that it has read. */
void lm_release_all(Wave *w, u64 own);
void lm_acquire_all(Wave *w);
/* Does a wave know of an access of another group to global memory, which read or wrote, and
 * (`handed`) that it was handed over? */
int learned(const Wave *w, u64 stamp, int handed, int read);
#endif

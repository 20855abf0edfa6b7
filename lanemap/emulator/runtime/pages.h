/* Pages of memory that a launch has touched, and the locks of what its workers share (pages.c). */
#ifndef LANEMAP_PAGES_H
#define LANEMAP_PAGES_H
#include "runtime.h"

/* Free chunks of nodes that a device kept (nodes.c). */
void lm_free_chunks(PagePool *kept);
/* Prepare a page for an access of this launch. */
void touch_page(Wave *w, Memory *m, u64 page, int writes);
static inline int ready_state(u32 state, u32 tag, int writes) {
  return state >> PAGE_TAG_SHIFT == tag && (!writes || state & PAGE_SAVED);
}
static inline int page_ready(const Memory *m, u64 page, int writes) {
  return ready_state(m->pages[page], m->tag, writes);
}
static inline void take_lock(u32 *lock) {
  while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE)) {}
}
static inline void give_lock(u32 *lock) { __atomic_store_n(lock, 0u, __ATOMIC_RELEASE); }
/* Do other threads access this memory, whose lines are then locked? And which of
 * Shared.line_locks. */
static inline int locks_lines(const Launch *l, const Memory *m) {
  return l->shared->threads > 1 && m->space == SPACE_GLOBAL;
}
static inline u64 line_lock(const Memory *m, u64 line) {
  u64 page = (line * LINE_BYTES >> PAGE_SHIFT) ^ (u64)m->seed * 7;
  return page % LOCKED_PAGES * LOCKS_OF_PAGE + line / LOCK_LINES % LOCKS_OF_PAGE;
}
/* CTAs on other threads may set bits of the same word. */
static inline void set_word(u64 *word, u64 bits, int locks) {
  if (!(bits & ~*word)) return;
  if (locks && ~bits) __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
  else *word |= bits;
}
#endif

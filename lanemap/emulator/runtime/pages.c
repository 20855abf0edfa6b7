/* Pages: made when first touched, saved before a launch writes them, put back when it begins again. */
#include "access.h"

void *malloc(u64 size);
void *calloc(u64 count, u64 size);
void free(void *memory);

#define PAGE_BITS (PAGE_BYTES / 64)   /* words of `defined` */
#define PAGE_LINES (PAGE_BYTES / LINE_BYTES)

/* A page as it was before this launch wrote it. `state` is its state then; partial and origin follow the
 * data where the memory has them. */
typedef struct Saved {
  struct Saved *next;
  Memory *memory;
  u64 page;
  u32 state, precise;
  u64 defined[PAGE_BITS];
  u8 data[PAGE_BYTES];
} Saved;

static u64 bytes_in(const Memory *m, u64 page) {
  u64 left = m->size - page * PAGE_BYTES;
  return left < PAGE_BYTES ? left : PAGE_BYTES;
}

/* What undefined memory holds: bits from its seed and its place, so that runs repeat. */
static void fill_page(Memory *m, u64 page) {
  u64 bytes = bytes_in(m, page), first = page * (PAGE_BYTES / 8);
  u8 *data = m->data + page * PAGE_BYTES;
  for (u64 i = 0; i * 8 < bytes; i++) {
    u64 bits = ((first + i) + ((u64)m->seed << 32) + 1) * 0x9E3779B97F4A7C15ull;
    bits ^= bits >> 32;
    u64 count = bytes - i * 8 < 8 ? bytes - i * 8 : 8;
    copy_bytes(data + i * 8, (u8 *)&bits, count);
  }
}

static u64 precise_bytes(const Memory *m) { return m->partial ? 5 * PAGE_BYTES : 0; }

static void save_page(Wave *w, Memory *m, u64 page, u32 state) {
  Shared *shared = w->launch->shared;
  u64 bytes = bytes_in(m, page), extra = precise_bytes(m);
  Saved *s = malloc(sizeof(Saved) + extra);
  if (!s) {
    shared->failed = 1;
    w->stop = STOP_MEMORY;
    return;
  }
  s->next = shared->journal;
  s->memory = m;
  s->page = page;
  s->state = state;
  s->precise = m->partial != 0;
  copy_bytes(s->data, m->data + page * PAGE_BYTES, bytes);
  copy_bytes((u8 *)s->defined, (u8 *)(m->defined + page * PAGE_BITS), (bytes + 63) / 64 * 8);
  if (extra) {
    copy_bytes((u8 *)(s + 1), m->partial + page * PAGE_BYTES, bytes);
    copy_bytes((u8 *)(s + 1) + PAGE_BYTES, (u8 *)(m->origin + page * PAGE_BYTES), bytes * 4);
  }
  shared->journal = s;
}

/* All but global memory begins anew for each CTA, and keeps nothing. */
static void begin_page(Memory *m, u64 page) {
  u64 bytes = bytes_in(m, page);
  fill_bytes((u8 *)(m->defined + page * PAGE_BITS), 0, (bytes + 63) / 64 * 8);
  if (m->partial) {
    fill_bytes(m->partial + page * PAGE_BYTES, 0, bytes);
    fill_bytes((u8 *)(m->origin + page * PAGE_BYTES), 0, bytes * 4);
  }
}

COLD void touch_page(Wave *w, Memory *m, u64 page, int writes) {
  Shared *shared = w->launch->shared;
  if (shared->threads > 1) take_lock(&shared->lock);
  u32 word = m->pages[page], state = word & PAGE_STATES;
  if (word >> PAGE_TAG_SHIFT != m->tag) {
    state &= ~(u32)PAGE_SAVED;
    if (m->space != SPACE_GLOBAL) {
      state = PAGE_SAVED;
      begin_page(m, page);
    }
    if (m->lines)
      fill_bytes((u8 *)(m->lines + page * PAGE_LINES), 0,
                 (bytes_in(m, page) + LINE_BYTES - 1) / LINE_BYTES * sizeof(Line));
    if (!(state & PAGE_FILLED)) fill_page(m, page);
    state |= PAGE_FILLED;
  }
  if (writes && !(state & PAGE_SAVED)) {
    save_page(w, m, page, state);
    state |= PAGE_SAVED;
  }
  __atomic_store_n(&m->pages[page], m->tag << PAGE_TAG_SHIFT | state, __ATOMIC_RELEASE);
  if (shared->threads > 1) give_lock(&shared->lock);
}

/* Fill a page that the host looks at though nothing touched it. */
void lm_fill_pages(Memory *m, u64 offset, u64 size) {
  for (u64 page = offset >> PAGE_SHIFT; size && page <= (offset + size - 1) >> PAGE_SHIFT; page++) {
    if (m->pages[page] & PAGE_FILLED) continue;
    fill_page(m, page);
    m->pages[page] |= PAGE_FILLED;
  }
}

static void drop_journal(Shared *shared, int restore) {
  while (shared->journal) {
    Saved *s = shared->journal;
    Memory *m = s->memory;
    u64 bytes = bytes_in(m, s->page);
    shared->journal = s->next;
    if (restore) {
      copy_bytes(m->data + s->page * PAGE_BYTES, s->data, bytes);
      copy_bytes((u8 *)(m->defined + s->page * PAGE_BITS), (u8 *)s->defined, (bytes + 63) / 64 * 8);
      if (s->precise) {
        copy_bytes(m->partial + s->page * PAGE_BYTES, (u8 *)(s + 1), bytes);
        copy_bytes((u8 *)(m->origin + s->page * PAGE_BYTES), (u8 *)(s + 1) + PAGE_BYTES, bytes * 4);
      }
      m->pages[s->page] = s->state;
    }
    free(s);
  }
}

/* Put everything back as it was before the launch. */
void lm_undo(Shared *shared) { drop_journal(shared, 1); }

/* The launch stands. */
void lm_keep(Shared *shared) { drop_journal(shared, 0); }

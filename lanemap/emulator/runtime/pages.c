/* Pages: initialized at the first access, saved before a launch writes them, restored if it
 * starts again. */
#include "pages.h"

void *malloc(u64 size);
void *calloc(u64 count, u64 size);
void free(void *memory);

#define PAGE_BITS (PAGE_BYTES / 64) /* words of `defined` */
#define PAGE_LINES (PAGE_BYTES / LINE_BYTES)

/* A page as it was before this launch wrote it. `state` is its state then: without PAGE_FILLED
 * it held nothing, with PAGE_DEFINED its bits say nothing. Partial and origin follow where the
 * memory has them. Pages lie in batches: lists by `next`, whose first has the number of pages in
 * `count` and the next batch in `batch`. So one worker hands another many pages at once, and reads
 * one of them alone, which lie in the other's cache. */
typedef struct Saved {
  struct Saved *next, *batch;
  u64 count;
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

static u64 mask_bytes(const Memory *m, u64 page) { return (bytes_in(m, page) + 63) / 64 * 8; }

static u64 mixed(u64 bits) {
  bits *= 0x9E3779B97F4A7C15ull;
  return bits ^ bits >> 32;
}

/* Contents of undefined memory: bits from its seed and address, so that runs are reproducible. */
static void fill_page(Memory *m, u64 page) {
  u64 bytes = bytes_in(m, page), first = page * (PAGE_BYTES / 8) + ((u64)m->seed << 32) + 1;
  u8 *data = m->data + page * PAGE_BYTES;
  u64 i = 0;
  for (; i * 8 + 8 <= bytes; i++) {
    u64 bits = mixed(first + i);
    __builtin_memcpy(data + i * 8, &bits, 8);
  }
  u64 bits = mixed(first + i);
  copy_bytes(data + i * 8, (u8 *)&bits, bytes - i * 8);
}

/* -- the journal ------------------------------------------------------------------------------- */

static void copy_precise(Saved *s, int restore) {
  u64 bytes = bytes_in(s->memory, s->page);
  u8 *partial = s->memory->partial + s->page * PAGE_BYTES, *kept = (u8 *)(s + 1);
  u8 *origin = (u8 *)(s->memory->origin + s->page * PAGE_BYTES), *kept_origin = kept + PAGE_BYTES;
  copy_bytes(restore ? partial : kept, restore ? kept : partial, bytes);
  copy_bytes(restore ? origin : kept_origin, restore ? kept_origin : origin, bytes * 4);
}

#define BATCH_PAGES 64

static void push_batch(Saved **batches, Saved *batch) {
  batch->batch = *batches;
  *batches = batch;
}

static Saved *pop_batch(Saved **batches) {
  Saved *batch = *batches;
  if (batch) *batches = batch->batch;
  return batch;
}

/* Put a page into the first batch, or into a new one where that is full or of the other kind. */
static void push_page(Saved **batches, Saved *s) {
  Saved *first = *batches;
  if (!first || first->count == BATCH_PAGES || first->precise != s->precise) {
    s->next = 0;
    s->count = 1;
    push_batch(batches, s);
    return;
  }
  s->next = first->next;
  first->next = s;
  first->count++;
}

static Saved *pop_page(Saved **batches) {
  Saved *first = *batches, *s = first ? first->next : 0;
  if (!s) return pop_batch(batches);
  first->next = s->next;
  first->count--;
  return s;
}

/* A buffer for a page, reused from an earlier launch, since new memory costs more than the copy. */
static Saved *room_for_page(PagePool *pool, Journal *j, int precise) {
  if (precise) return malloc(sizeof(Saved) + 5 * PAGE_BYTES);
  if (!j->spare) {
    take_lock(&pool->lock);
    Saved *batch = pop_batch(&pool->batches);
    if (batch) pool->count -= (u32)batch->count;
    give_lock(&pool->lock);
    if (batch) push_batch(&j->spare, batch);
  }
  Saved *s = pop_page(&j->spare);
  return s ? s : malloc(sizeof(Saved));
}

static void free_batch(Saved *batch) {
  for (Saved *s = batch, *next; s; s = next) {
    next = s->next;
    free(s);
  }
}

static void give_back(PagePool *pool, Saved *batch) {
  if (batch->precise || pool->count + batch->count > POOL_PAGES) {
    free_batch(batch);
    return;
  }
  pool->count += (u32)batch->count;
  push_batch(&pool->batches, batch);
}

/* Free the buffers of a device that has been closed. */
void lm_free_pages(PagePool *pool) {
  for (Saved *batch; (batch = pop_batch(&pool->batches));) free_batch(batch);
  lm_free_chunks(pool);
  *pool = (PagePool){0};
}

/* Vectors, since the C library's copy of as many bytes takes long to begin. */
static void copy_page(u8 *to, const u8 *from, u64 bytes) {
  typedef u64 Vector __attribute__((ext_vector_type(8), aligned(8)));
  u64 i = 0;
  for (; i + sizeof(Vector) <= bytes; i += sizeof(Vector))
    *(Vector *)(to + i) = *(const Vector *)(from + i);
  copy_bytes(to + i, from + i, bytes - i);
}

static void save_page(Wave *w, Memory *m, u64 page, u32 state) {
  Shared *shared = w->launch->shared;
  Journal *j = &shared->journals[w->launch->worker % JOURNALS];
  take_lock(&j->lock);
  Saved *s = room_for_page(shared->spare, j, m->partial != 0);
  if (!s) {
    give_lock(&j->lock);
    shared->failed = 1;
    w->stop = STOP_MEMORY;
    return;
  }
  s->memory = m;
  s->page = page;
  s->state = state;
  s->precise = m->partial != 0;
  if (state & PAGE_FILLED) copy_page(s->data, m->data + page * PAGE_BYTES, bytes_in(m, page));
  if (!(state & PAGE_DEFINED))
    copy_bytes((u8 *)s->defined, (u8 *)(m->defined + page * PAGE_BITS), mask_bytes(m, page));
  if (s->precise) copy_precise(s, 0);
  push_page(&j->saved, s);
  give_lock(&j->lock);
}

static void restore_page(Saved *s) {
  Memory *m = s->memory;
  if (s->state & PAGE_FILLED)
    copy_bytes(m->data + s->page * PAGE_BYTES, s->data, bytes_in(m, s->page));
  if (!(s->state & PAGE_DEFINED))
    copy_bytes((u8 *)(m->defined + s->page * PAGE_BITS), (u8 *)s->defined, mask_bytes(m, s->page));
  if (s->precise) copy_precise(s, 1);
  m->pages[s->page] = s->state;
}

static void drop_journals(Shared *shared, int restore) {
  for (u32 i = 0; i < JOURNALS; i++) {
    Journal *j = &shared->journals[i];
    for (Saved *batch; (batch = pop_batch(&j->saved)); give_back(shared->spare, batch))
      for (Saved *s = batch; s && restore; s = s->next) restore_page(s);
    for (Saved *batch; (batch = pop_batch(&j->spare));) give_back(shared->spare, batch);
  }
}

/* Restore memory to its state before the launch. */
void lm_undo(Shared *shared) { drop_journals(shared, 1); }

/* Keep the results of the launch. */
void lm_keep(Shared *shared) { drop_journals(shared, 0); }

/* -- first touches ----------------------------------------------------------------------------- */

/* Memory other than global begins undefined for each CTA. */
static void begin_page(Memory *m, u64 page) {
  u64 bytes = bytes_in(m, page);
  fill_bytes((u8 *)(m->defined + page * PAGE_BITS), 0, mask_bytes(m, page));
  if (m->partial) {
    fill_bytes(m->partial + page * PAGE_BYTES, 0, bytes);
    fill_bytes((u8 *)(m->origin + page * PAGE_BYTES), 0, bytes * 4);
  }
}

COLD void touch_page(Wave *w, Memory *m, u64 page, int writes) {
  Shared *shared = w->launch->shared;
  u64 number = (page ^ (u64)m->seed * 7) % PAGE_LOCKS; /* neighbors in other cache lines */
  u32 *lock = &shared->page_locks[number % (PAGE_LOCKS / 16) * 16 + number / (PAGE_LOCKS / 16)];
  int locks = shared->threads > 1 && m->space == SPACE_GLOBAL; /* other memory is this worker's */
  if (locks) take_lock(lock);
  u32 word = m->pages[page], state = word & PAGE_STATES, before = state & ~(u32)PAGE_SAVED;
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
    save_page(w, m, page, before);
    state |= PAGE_SAVED;
  }
  __atomic_store_n(&m->pages[page], m->tag << PAGE_TAG_SHIFT | state, __ATOMIC_RELEASE);
  if (locks) give_lock(lock);
}

/* Fill a page that the host reads before any access has touched it. */
void lm_fill_pages(Memory *m, u64 offset, u64 size) {
  for (u64 page = offset >> PAGE_SHIFT; size && page <= (offset + size - 1) >> PAGE_SHIFT; page++) {
    if (m->pages[page] & PAGE_FILLED) continue;
    fill_page(m, page);
    m->pages[page] |= PAGE_FILLED;
  }
}

/* Nodes of the records of stamps: sets, and the records of a line that is split (stamps.c). */
#include "nodes.h"
#include "memory_model.h"

void *aligned_alloc(u64 alignment, u64 size);
void free(void *memory);
int madvise(void *address, u64 size, int advice);

/* Chunks: a launch with many nodes gets large ones, each a huge page where the system has them,
 * since nodes are met in any order. A device keeps those for its next launches. */
enum { NODE_CHUNK = 64 * 1024, LARGE_CHUNK = 2 * 1024 * 1024, MOST_SMALL_CHUNKS = 16 };
enum { HUGE_PAGE = 14 }; /* MADV_HUGEPAGE of Linux; others refuse it, which is no harm */
typedef struct Chunk {
  struct Chunk *next, *of_launch; /* of its pool, and of all that the launch has */
  u64 size, unused[5];
} Chunk;

static const u32 NODE_SIZE[NODES] = {sizeof(Set), LINE_BYTES / 4 * sizeof(Line), 4 * sizeof(Line),
                                     4 * sizeof(u64)};

/* Links need 32 bytes of it; a smaller node lies in a pair. */
#define NODE_ALIGN 64
_Static_assert(sizeof(Chunk) == NODE_ALIGN, "nodes follow it");

u8 nowhere[LINE_BYTES / 4 * sizeof(Line)] __attribute__((aligned(NODE_ALIGN)));

/* Stamps of shared memory end with their group, others with the launch. */
static Pool *pool_of(const Touch *t) {
  return t->m->space == SPACE_SHARED ? &t->a->w->group->pool : &t->a->w->launch->pool;
}

static Chunk *kept_chunk(PagePool *kept) {
  take_lock(&kept->lock);
  Chunk *chunk = kept->chunks;
  if (chunk) kept->chunks = chunk->next, kept->chunk_count--;
  give_lock(&kept->lock);
  return chunk;
}

static Chunk *large_chunk(PagePool *kept) {
  Chunk *chunk = kept_chunk(kept);
  if (chunk) return chunk;
  chunk = aligned_alloc(LARGE_CHUNK, LARGE_CHUNK);
  if (!chunk) return 0;
  madvise(chunk, LARGE_CHUNK, HUGE_PAGE);
  chunk->size = LARGE_CHUNK;
  return chunk;
}

static Chunk *small_chunk(void) {
  Chunk *chunk = aligned_alloc(64, NODE_CHUNK);
  if (chunk) chunk->size = NODE_CHUNK;
  return chunk;
}

static int more_nodes(Wave *w, Pool *pool) {
  Chunk *chunk = pool->spare;
  Launch *l = w->launch;
  if (chunk) {
    pool->spare = chunk->next;
  } else {
    chunk = l->chunk_count < MOST_SMALL_CHUNKS ? small_chunk() : large_chunk(l->shared->spare);
    if (!chunk) {
      w->stop = STOP_MEMORY;
      return 0;
    }
    l->chunk_count++;
    chunk->of_launch = l->chunks;
    l->chunks = chunk;
  }
  chunk->next = pool->chunks;
  pool->chunks = chunk;
  pool->next = (u8 *)(chunk + 1);
  pool->left = chunk->size - sizeof *chunk;
  return 1;
}

void *new_node(const Touch *t, u32 kind) {
  Pool *pool = pool_of(t);
  void *node = pool->free[kind];
  if (node) {
    pool->free[kind] = *(void **)node;
    return node;
  }
  u32 size = NODE_SIZE[kind], room = size < NODE_ALIGN ? NODE_ALIGN : size;
  if (pool->left < room && !more_nodes(t->a->w, pool)) return nowhere;
  node = pool->next;
  __builtin_prefetch((u8 *)node + 4 * NODE_ALIGN, 1); /* for those that come next */
  pool->next += room;
  pool->left -= room;
  if (size < room) free_node(t, (u8 *)node + size, kind);
  return node;
}

void free_node(const Touch *t, void *node, u32 kind) {
  if (node == nowhere) return;
  Pool *pool = pool_of(t);
  *(void **)node = pool->free[kind];
  pool->free[kind] = node;
}

/* Reset the pool; no record links to its nodes any more. */
void empty_pool(Pool *pool) {
  while (pool->chunks) {
    Chunk *chunk = pool->chunks;
    pool->chunks = chunk->next;
    chunk->next = pool->spare;
    pool->spare = chunk;
  }
  for (u32 kind = 0; kind < NODES; kind++) pool->free[kind] = 0;
  pool->left = 0;
}

static int keep_chunk(PagePool *kept, Chunk *chunk) {
  take_lock(&kept->lock);
  int room = kept->chunk_count < POOL_CHUNKS;
  if (room) {
    chunk->next = kept->chunks;
    kept->chunks = chunk;
    kept->chunk_count++;
  }
  give_lock(&kept->lock);
  return room;
}

/* Free all nodes of a launch that has ended. */
void lm_free_nodes(Launch *l) {
  for (Chunk *chunk = l->chunks, *next; chunk; chunk = next) {
    next = chunk->of_launch;
    if (chunk->size < LARGE_CHUNK || !keep_chunk(l->shared->spare, chunk)) free(chunk);
  }
  l->chunks = 0;
  l->chunk_count = 0;
  l->pool = (Pool){0};
}

/* Free what a device that has been closed kept for its launches. */
void lm_free_chunks(PagePool *kept) {
  for (Chunk *chunk; (chunk = kept_chunk(kept));) free(chunk);
}

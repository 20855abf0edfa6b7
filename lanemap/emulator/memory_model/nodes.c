/* Nodes of the records of stamps: sets, and the records of a line that is split (stamps.c). */
#include "nodes.h"
#include "memory_model.h"

void *malloc(u64 size);
void free(void *memory);

#define NODE_CHUNK (64 * 1024)

static const u32 NODE_SIZE[NODES] = {sizeof(Set), LINE_BYTES / 4 * sizeof(Line), 4 * sizeof(Line)};

u8 nowhere[LINE_BYTES / 4 * sizeof(Line)] __attribute__((aligned(64)));

/* Stamps of shared memory end with their group, others with the launch. */
static Pool *pool_of(const Touch *t) {
  return t->m->space == SPACE_SHARED ? &t->a->w->group->pool : &t->a->w->launch->pool;
}

/* Chunks begin with two links: to the next of their pool, and of all that the launch has. */
static int more_nodes(Wave *w, Pool *pool) {
  void **chunk = pool->spare;
  if (chunk) {
    pool->spare = chunk[0];
  } else {
    chunk = malloc(NODE_CHUNK);
    if (!chunk) {
      w->stop = STOP_MEMORY;
      return 0;
    }
    chunk[1] = w->launch->chunks;
    w->launch->chunks = chunk;
  }
  chunk[0] = pool->chunks;
  pool->chunks = chunk;
  u64 skip = 64 + (0 - (u64)chunk % 64) % 64;
  pool->next = (u8 *)chunk + skip;
  pool->left = NODE_CHUNK - skip;
  return 1;
}

void *new_node(const Touch *t, u32 kind) {
  Pool *pool = pool_of(t);
  void *node = pool->free[kind];
  if (node) {
    pool->free[kind] = *(void **)node;
    return node;
  }
  if (pool->left < NODE_SIZE[kind] && !more_nodes(t->a->w, pool)) return nowhere;
  node = pool->next;
  pool->next += NODE_SIZE[kind];
  pool->left -= NODE_SIZE[kind];
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
    void **chunk = pool->chunks;
    pool->chunks = chunk[0];
    chunk[0] = pool->spare;
    pool->spare = chunk;
  }
  for (u32 kind = 0; kind < NODES; kind++) pool->free[kind] = 0;
  pool->left = 0;
}

/* Free all nodes of a launch that has ended. */
void lm_free_nodes(Launch *l) {
  for (void **chunk = l->chunks, **next; chunk; chunk = next) {
    next = chunk[1];
    free(chunk);
  }
  l->chunks = 0;
  l->pool = (Pool){0};
}

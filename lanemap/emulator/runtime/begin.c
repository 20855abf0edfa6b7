/* The beginning of a cluster of CTAs in memory that earlier clusters of the launch may have
 * used. */
#include "clock.h"
#include "memory_model.h"

static void clear_words(u64 *words, u64 count) { fill_bytes((u8 *)words, 0, 8 * count); }

/* Where a CTA is: its position in the grid, then that of its cluster among the clusters. */
void cta_position(const Launch *l, u64 number, u64 rank, u32 *position) {
  u64 cluster = number, inside = rank;
  for (u32 axis = 0; axis < 3; axis++) {
    u64 at = cluster % l->grid[axis];
    position[POSITION_CLUSTER_X + axis] = (u32)at;
    position[POSITION_CTA_X + axis] = (u32)(at * l->cluster[axis] + inside % l->cluster[axis]);
    cluster /= l->grid[axis];
    inside /= l->cluster[axis];
  }
}

/* Discard the contents of the memory; each page is initialized at its first access. */
static void begin_memory(Memory *m) {
  if (++m->tag < 1u << (32 - PAGE_TAG_SHIFT)) return;
  fill_bytes((u8 *)m->pages, 0, (m->size + PAGE_BYTES - 1) / PAGE_BYTES * sizeof(u32));
  m->tag = 1;
}

static void begin_wave(Wave *w, const u32 *position) {
  const Launch *l = w->launch;
  fill_bytes((u8 *)&w->block, 0, (u64)((u8 *)w->queue - (u8 *)&w->block));
  w->active = w->full;
  copy_bytes((u8 *)w + SLOTS, w->start, l->start_bytes);
  for (u64 i = 0; i < l->placed_count; i++)
    *(u32 *)((u8 *)w + l->placed[i].offset) = position[l->placed[i].position];
  begin_memory(&w->private);
}

static void begin_cta(Cta *c) {
  const Group *g = c->group;
  c->live = c->wave_count;
  begin_memory(&c->shared);
  clear_words(c->visits, g->member_count * 3 + g->slots);
  clear_words(c->published, clock_words(g));
  clear_words(c->arrivals, MAX_BARRIERS * clock_words(g));
  clear_words(c->front_end, sizeof c->front_end / 8);
}

/* Begin cluster `number` of the launch. */
void lm_begin(Group *g, u64 number) {
  const Launch *l = g->launch;
  u64 words = clock_words(g);
  g->number = l->first_group + number;
  g->running = 1;
  g->current = g->polls = g->idle_turns = g->turn = g->progress = g->busy = g->executed =
      g->unreleased = 0;
  g->changes = g->first_changes = l->changes;
  g->slots_used = 0;
  empty_pool(&g->pool);
  clear_words(g->clock, g->member_count * words);
  clear_words(g->published, words);
  clear_words(g->gathering, words);
  clear_words(g->gathered, words);
  clear_words(g->front_end, sizeof g->front_end / 8);
  for (u32 rank = 0; rank < g->cta_count; rank++) {
    Cta *c = g->ctas[rank];
    u32 position[POSITIONS];
    cta_position(l, number, rank, position);
    begin_cta(c);
    for (u32 i = 0; i < c->wave_count; i++) begin_wave(g->members[c->first_member + i], position);
  }
  if (l->front_end.begin) l->front_end.begin(g);
}

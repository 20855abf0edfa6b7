/* The beginning of a cluster of CTAs in memory that earlier clusters of the launch may have used.
 *
 * What undefined bytes hold matters only to precise code: other code stops where it meets one. So only
 * precise launches write their pattern, the same in every run, whatever was there. */
#include "mbarrier.h"

static void clear_words(u64 *words, u64 count) { fill_bytes((u8 *)words, 0, 8 * count); }

/* Where a CTA is: its position in the grid, then that of its cluster among the clusters. */
static void cta_position(const Launch *l, u64 number, u64 rank, u32 *position) {
  u64 cluster = number, inside = rank;
  for (u32 axis = 0; axis < 3; axis++) {
    u64 at = cluster % l->grid[axis];
    position[POSITION_CLUSTER_X + axis] = (u32)at;
    position[POSITION_CTA_X + axis] = (u32)(at * l->cluster[axis] + inside % l->cluster[axis]);
    cluster /= l->grid[axis];
    inside /= l->cluster[axis];
  }
}

static void begin_wave(Wave *w, const u32 *position) {
  const Launch *l = w->launch;
  fill_bytes((u8 *)&w->block, 0, (u64)((u8 *)w->queue - (u8 *)&w->block));
  w->active = w->full;
  copy_bytes((u8 *)w + SLOTS, w->start, l->start_bytes);
  for (u64 i = 0; i < l->placed_count; i++)
    *(u32 *)((u8 *)w + l->placed[i].offset) = position[l->placed[i].position];
  u64 bytes = w->private_size * l->lanes;
  fill_bytes(w->private_undefined, 0xff, bytes);
  if (w->private_start) copy_bytes(w->private_data, w->private_start, bytes);
  if (w->private_origin) fill_bytes((u8 *)w->private_origin, 0, bytes);
}

static void begin_cta(Cta *c) {
  const Group *g = c->group;
  u64 bytes = 4 * c->granules;
  c->live = c->wave_count;
  fill_bytes(c->shared_undefined, 0xff, bytes);
  if (c->shared_start) copy_bytes(c->shared_data, c->shared_start, bytes);
  if (c->shared_origin) fill_bytes((u8 *)c->shared_origin, 0, bytes);
  clear_words(c->visits, g->member_count);
  clear_words(c->published, clock_words(g));
  clear_words(c->arrivals, MAX_BARRIERS * clock_words(g));
  clear_words(c->front_end, sizeof c->front_end / 8);
  mbarriers_begin(c);
}

/* Stamps of shared memory count on over the clusters that use it, so that they need not be cleared. */
static void count_on(Group *g) {
  u64 most = 0;
  for (u32 i = 0; i < g->member_count; i++)
    if (g->members[i]->sequence[CLOCK_SHARED] > most) most = g->members[i]->sequence[CLOCK_SHARED];
  g->sequence_base += most;
  if (g->sequence_base <= SEQUENCE_MASK / 2) return;
  g->sequence_base = 0;
  for (u32 i = 0; i < g->cta_count; i++) {
    Cta *c = g->ctas[i];
    fill_bytes((u8 *)c->shared_order, 0, c->granules * sizeof *c->shared_order);
    clear_words(c->shared_readers, g->cta_count * c->granules * c->wave_count);
  }
}

/* Begin cluster `number` of the launch. */
void lm_begin(Group *g, u64 number) {
  const Launch *l = g->launch;
  u64 words = clock_words(g);
  count_on(g);
  g->number = l->first_group + number;
  g->running = 1;
  g->current = g->polls = g->turn = g->progress = g->busy = g->executed = g->handed = 0;
  g->changes = g->first_changes = l->changes;
  clear_words(g->clock, g->member_count * words);
  clear_words(g->published, words);
  clear_words(g->gathering, words);
  clear_words(g->gathered, words);
  clear_words(g->front_end, sizeof g->front_end / 8);
  tensor_enter(g);
  for (u32 rank = 0; rank < g->cta_count; rank++) {
    Cta *c = g->ctas[rank];
    u32 position[POSITIONS];
    cta_position(l, number, rank, position);
    begin_cta(c);
    for (u32 i = 0; i < c->wave_count; i++) begin_wave(g->members[c->first_member + i], position);
  }
}

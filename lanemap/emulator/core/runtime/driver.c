/* Running waves: from block to block, and the waves of a group in turn. */
#include "runtime.h"

void lm_join(Group *g, u32 members);

typedef u32 (*Block)(Wave *);

static u32 run_wave(Wave *w) {
  Launch *l = w->launch;
  for (;;) {
    u32 status = ((Block)l->blocks[w->block])(w);
    if (w->stop) return RUN_HAZARD;
    if (w->executed > l->limit) return RUN_LIMIT;
    if (status) return status;
  }
}

/* A block that is not compiled yet. */
u32 lm_uncompiled(Wave *w) {
  (void)w;
  return RUN_COMPILE;
}

/* One barrier for all waves that have not ended (s_barrier; an ended wave counts as arrived). */
static int release_barrier(Group *g) {
  u32 members = 0;
  for (u32 i = 0; i < g->wave_count; i++) {
    if (g->waves[i]->status == RUN_END) continue;
    if (g->waves[i]->status != RUN_BARRIER || g->waves[i]->waiting) return 0;
    members |= 1u << i;
  }
  if (!members) return 0;
  lm_join(g, members);
  for (u32 i = 0; i < g->wave_count; i++)
    if (members >> i & 1) g->waves[i]->status = RUN_ON;
  return 1;
}

/* Run a group until it ends (RUN_END) or something needs the host: then `current` is the wave. */
u32 lm_run_group(Group *g) {
  for (;;) {
    u32 ended = 0, progress = 0;
    for (u64 turn = 0; turn < g->wave_count; turn++) {
      Wave *w = g->waves[g->current];
      if (w->status == RUN_ON) {
        progress = 1;
        u32 status = run_wave(w);
        if (status == RUN_END || status == RUN_BARRIER) w->status = status;
        else if (status != RUN_YIELD) return status;
      }
      g->current = (g->current + 1) % g->wave_count;
    }
    for (u32 i = 0; i < g->wave_count; i++) ended += g->waves[i]->status == RUN_END;
    if (ended == g->wave_count) return RUN_END;
    if (!release_barrier(g) && !progress) return RUN_DEADLOCK;
  }
}

/* Sizes and offsets that the mirror in layout.py must agree with. */
u64 lm_layout(u32 field) {
  switch (field) {
    case 0: return sizeof(Wave);
    case 1: return sizeof(Group);
    case 2: return sizeof(Launch);
    case 3: return sizeof(Region);
    case 4: return sizeof(HazardRecord);
    case 5: return (u64)&((Wave *)0)->address;
    case 6: return (u64)&((Wave *)0)->value;
    case 7: return (u64)&((Wave *)0)->origin;
    case 8: return (u64)&((Group *)0)->clock;
    default: return 0;
  }
}

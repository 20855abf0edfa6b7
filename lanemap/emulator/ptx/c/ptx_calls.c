/* PTX: indirect branches by a per-lane index, and the stack of recursive calls.
 *
 * A lane holds the index of a target, never the number of a block: the table of the targets
 * belongs to the program. The saved registers of an activation, its return index included, lie
 * on a per-lane stack that has no address.
 */
#include "ptx_warp.h"
#include "rule_numbers.h"
#include "rules.h"

/* End the running lanes, which have no valid target. */
static void end_lanes(Wave *w, u32 lanes) {
  Warp *s = warp_of(w);
  s->alive &= ~lanes;
  s->refused = 0;
  w->active &= ~(u64)lanes;
  lanes_ended(w);
}

/* Every lane goes to the block that table `table` holds for the index in row `row`; the table
 * begins with how many there are, and -1 is none. The lanes of any other index break rule
 * `rule`, which names the 64 bits in the next two rows. */
u32 lm_ptx_switch(Wave *w, u32 instruction, u32 row, u32 table, u32 rule, u32 back) {
  Warp *s = warp_of(w);
  const i32 *targets = w->launch->tables[table];
  u32 active = (u32)w->active, lost = 0, same = 0, block[LANES];
  for (u32 lane = 0; lane < LANES; lane++) {
    if (!(active >> lane & 1)) continue;
    u32 index = w->value[row][lane];
    if (index < (u32)targets[0] && targets[1 + index] >= 0) block[lane] = (u32)targets[1 + index];
    else lost |= 1u << lane;
  }
  if (lost) {
    u32 lane = first_lane(lost);
    lm_rule(w, instruction, lost, rule,
            w->value[row + 1][lane] | (u64)w->value[row + 2][lane] << 32);
    end_lanes(w, lost);
    active &= ~lost;
    if (!active) return lm_ptx_exit(w);
  }
  u32 first = block[first_lane(active)];
  for (u32 lane = 0; lane < LANES; lane++)
    if (active >> lane & 1) {
      if (block[lane] == first) same |= 1u << lane;
      else put(s, block[lane], 1u << lane, READY, 0), w->parted = 1;
    }
  w->active = same;
  return go(w, s, first, back);
}

/* One word of every lane, with its undefined bits and their origins. */
typedef struct { u32 value[LANES], undefined[LANES], origin[LANES]; } Kept;

/* The lanes that run keep rows 0 to words - 1, on stacks of `most` words. */
void lm_ptx_keep(Wave *w, u32 instruction, u32 words, u32 most) {
  Warp *s = warp_of(w);
  u32 full = 0;
  for (u32 lane = 0; lane < LANES; lane++)
    if (w->active >> lane & 1 && s->kept[lane] + words > most) full |= 1u << lane;
  if (full) {
    lm_rule(w, instruction, full, RULE_STACK, 4ull * most);
    end_lanes(w, full);
  }
  for (u32 lane = 0; lane < LANES; lane++) {
    if (!(w->active >> lane & 1)) continue;
    Kept *k = (Kept *)w->kept + s->kept[lane];
    for (u32 row = 0; row < words; row++, k++) {
      k->value[lane] = w->value[row][lane];
      k->undefined[lane] = w->undefined[row][lane];
      k->origin[lane] = w->origin[row][lane];
    }
    s->kept[lane] += words;
  }
}

/* `drop` words from the end are free again; words `at` to at + words - 1 of them come to rows 0
 * and on. */
void lm_ptx_take_back(Wave *w, u32 drop, u32 at, u32 words) {
  Warp *s = warp_of(w);
  for (u32 lane = 0; lane < LANES; lane++) {
    if (!(w->active >> lane & 1)) continue;
    s->kept[lane] -= drop < s->kept[lane] ? drop : s->kept[lane];
    const Kept *k = (const Kept *)w->kept + s->kept[lane] + at;
    for (u32 row = 0; row < words; row++, k++) {
      w->value[row][lane] = k->value[lane];
      w->undefined[row][lane] = k->undefined[lane];
      w->origin[row][lane] = k->origin[lane];
      if (k->undefined[lane] && !w->launch->precise) w->stop = STOP_IMPRECISE;
    }
  }
}

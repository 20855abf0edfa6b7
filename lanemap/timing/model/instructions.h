/* The caches of instructions: that of the SM, one behind it, and L2. */
#include "machine.h"

static int32_t lines_of(const Sizes *z) { return (z->instructions + z->line - 1) / z->line; }

/* The SM's cache makes room for a line: of its set, the one goes that was needed longest ago. */
static void make_room(Machine *m, int32_t number) {
  int32_t sets = m->costs->lines / m->costs->ways, held = 0, oldest = -1;
  for (int32_t k = number % sets; k < lines_of(m->sizes); k += sets) {
    if (!m->line[k].held) continue;
    held++;
    if (oldest < 0 || m->line[k].used < m->line[oldest].used) oldest = k;
  }
  if (held >= m->costs->ways) m->line[oldest].held = 0;
}

/* Bring a line to the SM, instruction after instruction, behind what is on its way. */
static void bring(Machine *m, int32_t number) {
  Line *l = &m->line[number];
  int64_t now = m->now * FRACTION;
  int32_t near = m->fetches - l->since < m->costs->outer;
  make_room(m, number);
  l->held = 1;
  l->since = ++m->fetches;
  l->at = m->fetching > now - FRACTION ? m->fetching : now;
  l->each = near ? m->costs->near : m->costs->far;
  m->fetching = l->at + (int64_t)l->each * m->sizes->line;
}

/* When an instruction is there for a warp that needs it from now on. */
static int64_t instruction_at(Machine *m, int32_t place) {
  int32_t number = place / m->sizes->line;
  Line *l = &m->line[number];
  if (!l->held) bring(m, number);
  l->used = m->now;
  return cycle_of(l->at + (int64_t)l->each * (place % m->sizes->line + 1));
}

/* A warp begins when the line of its first instruction is there. */
static void begin_at(Machine *m, int32_t place) {
  Line *l = &m->line[place / m->sizes->line];
  if (!l->held) l->since = ++m->fetches;
  l->held = 1;
}

/* What the caches hold of code that ran before: its end, as far as there is room; and the SM's own
 * only if that was in this launch. */
static void remember(Machine *m) {
  int32_t all = lines_of(m->sizes);
  for (int32_t k = 0; k < all; k++) {
    make_room(m, k);
    m->line[k] = (Line){.held = m->sizes->warm, .since = ++m->fetches, .used = k - all};
  }
}

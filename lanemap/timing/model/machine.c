/* The run of one SM: who issues when, and why the others do not. */
#include "machine.h"

#include "instructions.h"
#include "units.h"

const char lm_operation_fields[] = OPERATION(NAME);
const char lm_ask_fields[] = ASK(NAME);
const char lm_warp_fields[] = WARP(NAME);
const char lm_sizes_fields[] = SIZES(NAME);
const char lm_costs_fields[] = COSTS(NAME);
const char lm_units[] = UNITS(NAME);
const char lm_reasons[] = REASONS(NAME);
const char lm_told_fields[] = TOLD(NAME);
const char lm_things[] = THINGS(NAME);

/* The instruction that a warp issues next. */
static const Operation *next_of(const Machine *m, const Warp *w) {
  return &m->code[m->issued[w->spec->begin + w->at]];
}

static void not_before(Moment *m, Moment other) {
  if (other.at > m->at) *m = other;
}

/* When the next instruction of a warp could issue, were its pipe free. */
static void settle(Machine *m, Warp *w) {
  const Operation *o = next_of(m, w);
  int32_t why = w->branched ? R_BRANCH : R_STALL_COUNT, own = (int32_t)(w - m->warp);
  w->base = (Moment){w->counted, why, w->at - 1, own};
  not_before(&w->base, (Moment){w->there, R_FETCH, w->at - 1, own});
  not_before(&w->base, w->until);
  for (int b = 0; b < BARRIERS; b++)
    if (o->waits >> b & 1) not_before(&w->base, w->board[b].moment);
}

/* The pipe that an instruction would take: of two, the one that is free first. */
static Pipe *pipe_of(const Scheduler *s, const Operation *o) {
  if (o->pipe < 0) return 0;
  Pipe *first = &s->pipe[o->pipe];
  if (o->other < 0) return first;
  Pipe *second = &s->pipe[o->other];
  return second->free < first->free ? second : first;
}

/* When a warp could issue that could at `at`, were there no barrier that it has come to. */
static int64_t behind_gate(const Machine *m, const Warp *w, int64_t at) {
  return w->gate.at <= at || next_of(m, w)->early ? at : w->gate.at;
}

/* When a scheduler's port to shared memory takes the next access, in 64ths: when it has read the
 * last one, and its queue has room. */
static int64_t port_of(const Machine *m, const Scheduler *s) {
  int32_t queue = m->costs->queue;
  int64_t room = s->accesses < queue ? 0 : s->done[(s->accesses - queue) % KEPT];
  return s->port > room ? s->port : room;
}

/* When one more store finds room among those that wait to leave the SM. */
static int64_t room_of(const Machine *m, const Operation *o) {
  int32_t most = m->costs->waiting;
  if ((o->unit != U_STORE && o->unit != U_REDUCE) || m->stores < most) return 0;
  return cycle_of(m->left[(m->stores - most) % KEPT_STORES]);
}

/* When the queue of matrix instructions has room for one more of a warp. */
static int64_t queue_of(const Machine *m, const Warp *w, const Operation *o) {
  int32_t most = m->costs->products;
  if (o->unit != U_MATRIX || w->matrix < most) return 0;
  return product_of(m, w, w->matrix - most)->left;
}

/* When a warp could issue: its base, its pipe, its port. */
static int64_t possible(const Machine *m, const Scheduler *s, const Warp *w) {
  if (w->base.at == NEVER) return NEVER;
  const Operation *o = next_of(m, w);
  const Pipe *pipe = pipe_of(s, o);
  int64_t at = w->base.at;
  if (pipe && cycle_of(pipe->free) > at) at = cycle_of(pipe->free);
  if (o->port_least && cycle_of(port_of(m, s)) > at) at = cycle_of(port_of(m, s));
  if (o->reads && s->registers > at) at = s->registers;
  if (room_of(m, o) > at) at = room_of(m, o);
  if (queue_of(m, w, o) > at) at = queue_of(m, w, o);
  return at == NEVER ? NEVER : behind_gate(m, w, at);
}

/* The warp that issues now: of those that can, the one that has waited longest, and of equal ones
 * the youngest; -1 for none. `soon` becomes the next cycle in which one may. */
static int32_t select(const Machine *m, const Scheduler *s, int64_t *soon) {
  int32_t found = -1;
  int64_t waited = NEVER;
  for (int32_t k = s->members - 1; k >= 0; k--) {
    const Warp *w = &m->warp[s->member[k]];
    int64_t at = possible(m, s, w);
    if (at > m->now) {
      if (at < *soon) *soon = at;
    } else if (behind_gate(m, w, w->base.at) < waited) {
      found = s->member[k];
      waited = behind_gate(m, w, w->base.at);
    }
  }
  return found;
}

/* The part of the cycles from `*from` on in which a resource was not free yet; `*from` goes on. */
static int64_t part(const Machine *m, int64_t *from, int64_t free) {
  int64_t begin = *from, end = free < m->now ? free : m->now;
  if (end <= begin) return 0;
  *from = end;
  return end - begin;
}

/* Attribute the cycles since a warp's last issue, up to this one. */
static void attribute(Machine *m, const Scheduler *s, const Warp *w, const Operation *o) {
  int64_t *account = m->account + (o - m->code) * R_COUNT;
  int64_t from = w->previous + 1, base = w->base.at < from ? from : w->base.at;
  int64_t counted = w->counted < from ? from : w->counted > base ? base : w->counted;
  account[w->branched ? R_BRANCH : R_STALL_COUNT] += counted - from;
  account[w->base.why] += base - counted;
  const Pipe *pipe = pipe_of(s, o);
  account[R_PIPE] += part(m, &base, pipe ? cycle_of(pipe->free) : 0);
  account[R_PORT] += part(m, &base, o->port_least ? cycle_of(port_of(m, s)) : 0);
  account[R_REGISTERS] += part(m, &base, o->reads ? s->registers : 0);
  account[R_STORES] += part(m, &base, room_of(m, o));
  account[R_MATRIX] += part(m, &base, queue_of(m, w, o));
  account[R_NOT_SELECTED] += m->now - base;
  account[R_ISSUED]++;
}

/* Hold a pipe, or a port, from an issue on; what it was held beyond a whole cycle is kept. */
static void hold(int64_t *free, int64_t now, int64_t interval) {
  int64_t from = now * FRACTION;
  *free = (*free > from - FRACTION ? *free : from) + interval;
}

/* Whether the tensor cores execute a matrix instruction of another warpgroup. */
static int multiplies_for_others(const Machine *m, const Warp *w) {
  return m->multiplying && m->matrix.warp != w->spec->group && m->matrix.free > m->now * FRACTION;
}

static void take_pipe(const Machine *m, const Scheduler *s, const Operation *o, int32_t own) {
  Warp *w = &m->warp[own];
  Pipe *pipe = pipe_of(s, o);
  w->streak = o->pipe == w->last_pipe ? w->streak + 1 : 0;
  w->last_pipe = o->pipe;
  if (!pipe) return;
  int32_t behind = pipe->warp >= 0 && pipe->warp != own && cycle_of(pipe->free) >= m->now;
  int32_t stream = w->streak >= m->costs->stream || o->contended < 0;
  int32_t more = behind && stream ? o->contended : 0;
  if (multiplies_for_others(m, w)) more += o->slowed;
  hold(&pipe->free, m->now, o->interval + more);
  pipe->warp = own;
}

static void write_down(Machine *m, const Warp *w) {
  int32_t at = w->spec->output + w->at;
  m->when[at] = (int32_t)m->now;
  m->why[at] = (uint8_t)w->base.why;
  m->cause[at] = w->base.cause;
  m->causing[at] = w->base.causing;
}

/* A warp's first issue is possible from a cycle on. */
static void start(Warp *w, Moment from) {
  w->counted = from.at;
  w->base = from;
  w->previous = from.at - 1;
}

/* A warp has ended. The last one of a CTA makes room for the next CTA. */
static void end_warp(Machine *m, Warp *w) {
  w->base.at = NEVER;
  m->live--;
  if (--m->running[w->spec->cta] || m->begun >= m->sizes->ctas) return;
  Moment room = {m->now + m->costs->replaced, R_ROOM, w->at - 1, number_of(m, w)};
  not_before(&room, (Moment){m->given + m->costs->given, R_ROOM, w->at - 1, number_of(m, w)});
  m->given = room.at;
  for (int32_t k = 0; k < m->sizes->warps; k++)
    if (m->warp[k].spec->cta == m->begun && m->warp[k].spec->count) start(&m->warp[k], room);
  m->begun++;
}

/* Go to the next instruction; a warp that has none has ended. */
static void advance(Machine *m, Warp *w, const Operation *o) {
  const int32_t *issued = m->issued + w->spec->begin;
  w->previous = m->now;
  w->at++;
  if (w->at == w->spec->count) {
    end_warp(m, w);
    return;
  }
  int32_t from = issued[w->at - 1], to = issued[w->at];
  int32_t least = to <= from ? o->taken : to > from + 1 ? o->skipping : 0;
  w->branched = least > o->stall;
  w->counted = m->now + (w->branched ? least : o->stall);
  w->there = instruction_at(m, to);
}

static void issue(Machine *m, Scheduler *s, int32_t own) {
  Warp *w = &m->warp[own];
  const Operation *o = next_of(m, w);
  int32_t asked = m->asked[w->spec->begin + w->at];
  if (!o->early) not_before(&w->base, w->gate);
  attribute(m, s, w, o);
  write_down(m, w);
  take_pipe(m, s, o, own);
  hold_up(m, s, o);
  s->free = m->now + 1;
  if (o->reads) s->registers = m->now + o->reads;
  advance(m, w, o);
  const Ask *a = asked < 0 ? 0 : &m->asks[asked];
  if (a && a->parts) {
    w->counted += m->costs->parted;
    w->branched = 1;
  }
  ask(m, s, w, o, a);
  if (w->at < w->spec->count) settle(m, w);
}

/* Let every scheduler issue in this cycle, behind the one whose warp stored last; the next one in
 * which any may. */
static int64_t step(Machine *m) {
  int64_t soon = NEVER;
  int32_t all = m->sizes->schedulers, first = m->turn;
  for (int32_t k = 0; k < all; k++) {
    Scheduler *s = &m->scheduler[(first + k) % all];
    if (s->free <= m->now) {
      int32_t own = select(m, s, &soon);
      if (own >= 0) issue(m, s, own);
      else continue;
    }
    if (s->free < soon) soon = s->free;
  }
  return soon;
}

static void *carve(char **at, size_t bytes) {
  void *place = *at;
  *at += (bytes + 15) / 16 * 16;
  return place;
}

/* Lay the state out in zeroed memory, or measure it where `at` begins at 0. */
static void lay_out(Machine *m, char **at) {
  const Sizes *z = m->sizes;
  m->warp = carve(at, sizeof(Warp) * z->warps);
  m->scheduler = carve(at, sizeof(Scheduler) * z->schedulers);
  m->object = carve(at, sizeof(Object) * z->ctas * z->objects);
  m->group = carve(at, sizeof(Group) * z->groups);
  m->queue = carve(at, sizeof(Queued) * z->groups * KEPT_PRODUCTS);
  m->present = carve(at, sizeof(int64_t) * z->sectors);
  m->running = carve(at, sizeof(int32_t) * z->ctas);
  m->line = carve(at, sizeof(Line) * z->instructions);
}

int64_t lm_state_bytes(const Sizes *sizes) {
  Machine m = {.sizes = sizes};
  char *at = 0;
  lay_out(&m, &at);
  carve(&at, sizeof(int32_t) * sizes->warps * sizes->schedulers);
  carve(&at, sizeof(Pipe) * sizes->pipes * sizes->schedulers);
  carve(&at, sizeof(Machine));
  return (int64_t)(at - (char *)0) + 16 * sizes->schedulers * 2;
}

static void begin(Machine *m, const WarpSpec *specs, char *at) {
  const Sizes *z = m->sizes;
  lay_out(m, &at);
  m->matrix.warp = -1;
  remember(m);
  m->begun = z->resident;
  for (int32_t k = 0; k < z->schedulers; k++) {
    Scheduler *s = &m->scheduler[k];
    s->holder = -1;
    s->member = carve(&at, sizeof(int32_t) * z->warps);
    s->pipe = carve(&at, sizeof(Pipe) * z->pipes);
    for (int32_t p = 0; p < z->pipes; p++) s->pipe[p].warp = -1;
  }
  for (int32_t k = 0; k < z->warps; k++) {
    Warp *w = &m->warp[k];
    Scheduler *s = &m->scheduler[specs[k].scheduler];
    w->spec = &specs[k];
    start(w, (Moment){specs[k].start, R_STALL_COUNT, -1, -1});
    if (specs[k].cta >= z->resident) w->base.at = NEVER;
    w->object = -1;
    for (int b = 0; b < BARRIERS; b++) w->board[b].object = -1;
    s->member[s->members++] = k;
    if (!specs[k].count) {
      w->base.at = NEVER;
      continue;
    }
    begin_at(m, m->issued[specs[k].begin]);
    m->live++;
    m->running[specs[k].cta]++;
  }
}

/* Begin an SM, in zeroed memory of lm_state_bytes. It will write for each issue the cycle, the last
 * reason that it waited for, and what ended that; and for each instruction of the code the cycles
 * of all warps by reason; and what matrix instructions, copies and mbarriers did, as much as there
 * is room for. */
void lm_begin(const Sizes *sizes, const Operation *code, const Ask *asks, const WarpSpec *specs,
              const int32_t *issued, const int32_t *asked, const int32_t *first,
              const int32_t *count, const int32_t *lines, const int32_t *touched,
              const int32_t *beyond, const int32_t *apart, const int32_t *away, const Costs *costs,
              void *state, int32_t *when, uint8_t *why, int32_t *cause, int32_t *causing,
              int64_t *account, Told *told) {
  char *at = state;
  Machine *m = carve(&at, sizeof(Machine));
  *m = (Machine){.sizes = sizes,
                 .code = code,
                 .asks = asks,
                 .costs = costs,
                 .issued = issued,
                 .asked = asked,
                 .first = first,
                 .count = count,
                 .lines = lines,
                 .touched = touched,
                 .beyond = beyond,
                 .apart = apart,
                 .away = away,
                 .when = when,
                 .why = why,
                 .cause = cause,
                 .causing = causing,
                 .account = account,
                 .told = told};
  begin(m, specs, at);
}

/* How much there was to tell. */
int32_t lm_tellings(const void *state) { return ((const Machine *)state)->tellings; }

/* Run an SM until a cycle; code and costs may have changed since. Returns 0 there, or the cycle
 * after the last issue, in which all stores have left the SM, or -1 where no warp can go on.
 * `moved` becomes how many sectors of L2, and of memory, it has moved. */
int64_t lm_go(void *state, int64_t until, int64_t *moved) {
  Machine *m = state;
  while (m->live && m->now < until) {
    go_on(m);
    int64_t soon = step(m), ends = go_on(m);
    if (!m->live) break;
    if (ends < soon) soon = ends;
    if (soon == NEVER) return -1;
    m->now = soon > m->now ? soon : m->now + 1;
  }
  for (int k = 0; k < LEVELS; k++) moved[k] = m->moved[k];
  if (m->live) return 0;
  int64_t left = cycle_of(m->gone);
  return left > m->now ? left : m->now + 1;
}

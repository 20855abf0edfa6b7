/* What instructions ask of units that several warps share. */
#include "machine.h"

static void settle(Machine *m, Warp *w);
static void hold(int64_t *free, int64_t now, int64_t interval);

static void tell(Machine *m, Told t) {
  if (m->tellings < m->sizes->told) m->told[m->tellings] = t;
  m->tellings++;
}

static Object *object_of(const Machine *m, const Warp *w, const Ask *a) {
  return &m->object[w->spec->cta * m->sizes->objects + a->object];
}

static int32_t number_of(const Machine *m, const Warp *w) { return (int32_t)(w - m->warp); }

/* An instruction, the one before the warp's next, releases a barrier of its control word. */
static void release(const Machine *m, Warp *w, int32_t barrier, int64_t at, int32_t why) {
  Moment moment = {at, why, w->at - 1, number_of(m, w)};
  if (barrier == NO_BARRIER) return;
  Scoreboard *s = &w->board[barrier];
  if (at >= s->moment.at) s->moment = moment;
  s->past[s->releases++ % KEPT] = s->moment;
}

/* Go on with a warp that another one lets go on. */
static void resume(Machine *m, Warp *w) {
  if (w->at < w->spec->count) settle(m, w);
}

static void steal(Machine *m, const Operation *o, int64_t passes);

/* Pass through the port to shared memory: a scheduler's accesses in turn, and those of all through
 * the data path of the SM; copies of ragged rows take turns with each other besides. Returns by how
 * many cycles others delay this one there. */
static int64_t through_port(Machine *m, Scheduler *s, const Operation *o, int32_t own,
                            int32_t passes, int64_t more) {
  int64_t now = m->now * FRACTION, from = s->passed > now ? s->passed : now;
  int64_t held = s->passed > s->port ? s->passed : s->port;
  int32_t behind = s->holder >= 0 && s->holder != own && cycle_of(held) >= m->now;
  hold(&s->port, m->now, o->port_least);
  s->holder = own;
  if (!o->data_pass) return 0;
  int64_t path = m->data > now ? m->data : now, taken = (int64_t)o->data_pass * passes;
  m->data = path + taken + (behind ? o->contended : 0);
  steal(m, o, taken);
  if (o->besides) m->ragged = (m->ragged > path ? m->ragged : path) + taken + more;
  s->passed = from + (int64_t)o->port_pass * passes;
  if (m->data > s->passed) s->passed = m->data;
  s->done[s->accesses++ % KEPT] = s->passed;
  return ((path > from ? path : from) - now) / FRACTION;
}

/* An instruction whose guard is false asks for nothing, and still releases its barriers. */
static void turn_off(Machine *m, Scheduler *s, Warp *w, const Operation *o) {
  if (o->port_least) hold(&s->port, m->now, m->costs->off_port);
  release(m, w, o->write_barrier, m->now + m->costs->off, R_RESULT);
  release(m, w, o->read_barrier, m->now + m->costs->off, R_OPERANDS);
}

/* End a barrier: all warps that stand at it go on. */
static void end_barrier(Machine *m, const Object *b, int64_t at) {
  int32_t number = (int32_t)(b - m->object), last = b->last;
  Moment end = {at, R_BARRIER, m->warp[last].at - 1, last};
  for (int32_t k = 0; k < m->sizes->warps; k++) {
    Warp *w = &m->warp[k];
    if (w->object != number) continue;
    w->object = -1;
    w->gate = end;
  }
}

/* A warp comes to a barrier of its CTA. The last one ends it. */
static void come(Machine *m, Warp *w, const Ask *a, int32_t waits) {
  Object *b = object_of(m, w, a);
  if (!b->pending) b->pending = a->amount;
  b->at = (b->at > m->now ? b->at : m->now) + m->costs->barrier_warp;
  b->last = number_of(m, w);
  if (waits) {
    w->gate = (Moment){NEVER, R_BARRIER, -1, -1};
    w->object = (int32_t)(b - m->object);
  }
  if (--b->pending) return;
  end_barrier(m, b, b->at + m->costs->barrier + (waits ? 0 : m->costs->barrier_handed));
}

/* The result of a wait for a phase of an mbarrier, or NEVER while it is not over. */
static int64_t over_at(const Machine *m, const Object *b, int32_t phase) {
  if (b->over < phase) return NEVER;
  if (phase <= 0 || b->over - phase >= KEPT) return 0;
  return b->end[phase % KEPT] + m->costs->wake;
}

/* Release the barriers of a warp's control words that wait for phases that are over now. */
static void let_go(Machine *m, Warp *w, const Object *b) {
  int32_t number = (int32_t)(b - m->object);
  for (int k = 0; k < BARRIERS; k++) {
    Scoreboard *s = &w->board[k];
    if (s->object != number || b->over < s->phase) continue;
    int64_t at = over_at(m, b, s->phase);
    s->object = -1;
    s->moment = (Moment){at > s->least ? at : s->least, R_MBARRIER, b->by, b->last};
    resume(m, w);
  }
}

/* End a phase of an mbarrier if all that it needs has come. */
static void end_phase(Machine *m, Object *b) {
  if (b->pending > 0 || b->bytes) return;
  b->over++;
  b->end[b->over % KEPT] = b->at;
  b->pending = b->arrivals;
  int32_t at = (int32_t)b->at, number = (int32_t)(b - m->object);
  tell(m, (Told){T_PHASE, number, b->over, at, at, at, at});
  for (int32_t k = 0; k < m->sizes->warps; k++) let_go(m, &m->warp[k], b);
}

static void arrive(Machine *m, Warp *w, const Ask *a, int64_t delay) {
  Object *b = object_of(m, w, a);
  int64_t at = m->now + delay;
  if (m->counter > at) at = m->counter;
  m->counter = at + m->costs->arrival_each;
  if (at > b->at) b->at = at;
  b->last = number_of(m, w);
  b->by = w->at - 1;
  b->pending -= a->amount;
  b->bytes += a->bytes;
  end_phase(m, b);
}

/* A wait for a phase: its barrier is released when the phase is over, and at no time before the
 * result of a wait for one that has long been over. */
static void await(Machine *m, Warp *w, const Operation *o, const Ask *a, int64_t delay) {
  Object *b = object_of(m, w, a);
  int64_t least = m->now + delay + o->latency, at = over_at(m, b, a->phase);
  if (o->write_barrier == NO_BARRIER) return;
  release(m, w, o->write_barrier, at > least ? at : least, at > least ? R_MBARRIER : R_RESULT);
  if (at != NEVER) return;
  Scoreboard *s = &w->board[o->write_barrier];
  s->object = (int32_t)(b - m->object);
  s->phase = a->phase;
  s->least = least;
}

static Product *product_of(const Machine *m, const Warp *w, int32_t number) {
  return &m->group[w->spec->group].product[number % KEPT_PRODUCTS];
}

static Queued *queued(const Machine *m, int32_t number) {
  return &m->queue[number % (m->sizes->groups * KEPT_PRODUCTS)];
}

/* Accesses to shared memory take its data path from the operands of a matrix instruction: loads
 * hold it up as long as they take, stores only as far as the operands leave no room. What copies
 * bring does not. */
static void steal(Machine *m, const Operation *o, int64_t passes) {
  if (!m->multiplying || m->matrix.free <= m->now * FRACTION || o->unit == U_GLOBAL) return;
  int64_t room = o->latency ? 0 : m->spare < passes ? m->spare : passes;
  m->spare -= room;
  m->matrix.free += passes - room;
}

/* Arithmetic holds up the matrix instruction that the tensor cores execute. The tensor cores of all
 * schedulers go on together, so that the one that is held up longest counts. */
static void hold_up(Machine *m, Scheduler *s, const Operation *o) {
  if (!o->beside || !m->multiplying || m->matrix.free <= m->now * FRACTION) return;
  s->beside += o->beside;
  if (s->beside <= m->beside) return;
  m->matrix.free += s->beside - m->beside;
  m->beside = s->beside;
}

/* The tensor cores begin with the next matrix instruction, when the last one has ended. */
static void multiply(Machine *m) {
  const Queued *q = queued(m, m->finished);
  const Operation *o = q->operation;
  int64_t from = q->product->issued * FRACTION;
  int32_t behind = m->matrix.warp != q->group && m->matrix.free > from;
  if (m->matrix.free > from) from = m->matrix.free;
  m->matrix.free = from + o->interval + (behind ? o->contended : 0);
  m->matrix.warp = q->group;
  m->started = cycle_of(from);
  m->multiplying = 1;
  m->beside = 0;
  for (int32_t k = 0; k < m->sizes->schedulers; k++) m->scheduler[k].beside = 0;
  m->spare = o->interval - o->data_pass;
}

/* A matrix instruction has left the tensor cores: warps that wait for it know when it is done. */
static void finish(Machine *m) {
  const Queued *q = queued(m, m->finished++);
  q->product->left = cycle_of(m->matrix.free);
  q->product->done =
      (Moment){cycle_of(m->matrix.free) + q->operation->latency, R_MATRIX, q->place, q->warp};
  m->multiplying = 0;
  int32_t until = (int32_t)cycle_of(m->matrix.free), end = (int32_t)q->product->done.at;
  tell(m, (Told){T_MATRIX, q->warp, q->place, (int32_t)q->product->issued, (int32_t)m->started,
                 until, end});
  for (int32_t k = 0; k < m->sizes->warps; k++) {
    Warp *other = &m->warp[k];
    if (other->spec->group != q->group || other->awaits != q->number) continue;
    other->awaits = 0;
    other->until = q->product->done;
    resume(m, other);
  }
}

/* Let the tensor cores go on up to now; the cycle in which their next instruction ends. */
static int64_t go_on(Machine *m) {
  while (m->finished < m->queued) {
    if (!m->multiplying) multiply(m);
    if (cycle_of(m->matrix.free) > m->now) return cycle_of(m->matrix.free);
    finish(m);
  }
  return NEVER;
}

static void issue_matrix(Machine *m, Warp *w, const Operation *o) {
  Product *p = product_of(m, w, w->matrix++);
  if (p->arrived == m->sizes->group || !p->arrived)
    *p = (Product){.left = NEVER, .done = {.at = NEVER}};
  p->issued = m->now;
  if (o->ahead) w->commit[w->commits++ % KEPT] = w->matrix;
  if (++p->arrived < m->sizes->group) return;
  *queued(m, m->queued++) = (Queued){p, o, w->spec->group, w->matrix, w->at - 1, number_of(m, w)};
}

/* Wait until at most so many groups of matrix instructions are pending. */
static void await_matrix(const Machine *m, Warp *w, const Operation *o) {
  int32_t number = w->commits - o->ahead;
  if (number <= 0 || o->ahead >= KEPT) return;
  int32_t behind = w->commit[(number - 1) % KEPT];
  w->until = product_of(m, w, behind - 1)->done;
  if (w->until.at != NEVER) return;
  w->until.why = R_MATRIX;
  w->awaits = behind;
}

/* Wait until at most so many releases of a barrier of control words are pending. */
static void await_releases(Warp *w, const Operation *o) {
  const Scoreboard *s = &w->board[o->awaited];
  int32_t number = s->releases - o->ahead;
  if (number <= 0 || o->ahead >= KEPT) return;
  w->until = s->past[(number - 1) % KEPT];
  w->until.at += o->stall;
}

static Object *barrier_of_cluster(const Machine *m, const Warp *w) {
  return &m->object[(w->spec->cta + 1) * m->sizes->objects - 1];
}

/* A warp arrives at the barrier of its cluster, whose other CTAs do as this one. */
static void arrive_at_cluster(Machine *m, Warp *w) {
  Object *b = barrier_of_cluster(m, w);
  int32_t warps = 0;
  w->clusters++;
  if (!b->pending)
    for (int32_t k = 0; k < m->sizes->warps; k++) warps += m->warp[k].spec->cta == w->spec->cta;
  b->pending += warps - 1;
  b->last = number_of(m, w);
  b->at = b->at >= m->now ? b->at + m->costs->barrier_warp : m->now;
  if (b->pending) return;
  b->over++;
  Moment end = {b->at + m->costs->cluster, R_BARRIER, w->at - 1, b->last};
  b->end[b->over % KEPT] = end.at;
  for (int32_t k = 0; k < m->sizes->warps; k++) {
    Warp *other = &m->warp[k];
    if (other->object != b - m->object) continue;
    other->object = -1;
    other->until = end;
    resume(m, other);
  }
}

static void await_cluster(const Machine *m, Warp *w) {
  const Object *b = barrier_of_cluster(m, w);
  int32_t over = b->over >= w->clusters;
  w->until = (Moment){over ? b->end[w->clusters % KEPT] : NEVER, R_BARRIER, -1, b->last};
  if (!over) w->object = (int32_t)(b - m->object);
}

/* What an access finds: sectors that L1 does not have, and how many of these L2 does not have
 * either; when L1 has the rest; and by how many cycles the line that is farthest answers later than
 * others. */
typedef struct {
  int64_t there;
  int32_t lacking, beyond, apart;
} Found;

static Found look(const Machine *m, const Warp *w, const Operation *o) {
  int32_t place = w->spec->output + w->at - 1, any = 0;
  const int32_t *sector = m->touched + m->first[place];
  Found f = {0};
  for (int32_t k = 0; k < m->count[place]; k++) {
    int64_t at = m->present[sector[k]];
    int32_t more = o->unit == U_ATOMIC ? m->away[sector[k]] : m->apart[sector[k]];
    if (at && !o->far) {
      if (at > f.there) f.there = at;
      continue;
    }
    f.lacking++;
    if (!at) f.beyond += m->beyond[sector[k]];
    if (!any || more > f.apart) f.apart = more;
    any = 1;
  }
  return f;
}

/* L1 has the sectors of an access from then on that it does not have yet. */
static void fill(const Machine *m, const Warp *w, int64_t at) {
  int32_t place = w->spec->output + w->at - 1;
  const int32_t *sector = m->touched + m->first[place];
  for (int32_t k = 0; k < m->count[place]; k++)
    if (!m->present[sector[k]]) m->present[sector[k]] = at;
}

/* Sectors that a copy reads besides those that its bytes would fill. */
static int32_t besides_of(const Machine *m, const Warp *w, const Operation *o, const Ask *a) {
  int32_t place = w->spec->output + w->at - 1;
  int32_t sectors = m->first[place] >= 0 ? m->count[place] : a->sectors;
  return o->copies && sectors > a->whole ? sectors - a->whole : 0;
}

/* Lines that a copy reads besides those that its bytes would fill. */
static int32_t crossings_of(const Machine *m, const Warp *w, const Operation *o, const Ask *a) {
  int32_t place = w->spec->output + w->at - 1;
  int32_t lines = m->first[place] >= 0 ? m->lines[place] : a->passes;
  return o->copies && lines > a->filled ? lines - a->filled : 0;
}

/* Cycles until the bytes of an access are there, from L1, L2 or memory. What comes from behind L1
 * takes the way to the SM in turn. */
static int64_t fetch(Machine *m, const Warp *w, const Operation *o, const Ask *a, int64_t latency) {
  if (a && a->level == 0 && o->shared) return latency - o->latency + o->shared;
  if (a && a->level < 0 && o->remote) return latency - o->latency + o->remote;
  if (!a || a->level <= 1) return latency;
  int32_t known = m->first[w->spec->output + w->at - 1] >= 0, come = a->sectors;
  Found f = {.beyond = a->level == 3 ? come : 0};
  if (known) {
    f = look(m, w, o);
    int64_t wait = f.there - m->now;
    if (!f.lacking) return wait > latency ? wait : latency;
    come = f.lacking;
  }
  int64_t now = m->now * FRACTION, from = m->link > now ? m->link : now;
  int64_t each = o->unit == U_ATOMIC ? m->costs->changed
                 : o->copies         ? m->costs->copied
                                     : m->costs->second;
  m->link = from + (come - f.beyond) * each + (int64_t)f.beyond * m->costs->third;
  m->link += (int64_t)besides_of(m, w, o, a) * (m->costs->ragged - each);
  m->link += (int64_t)crossings_of(m, w, o, a) * m->costs->crossed;
  m->moved[0] += come;
  m->moved[1] += f.beyond;
  int32_t first = known && !o->far && o->home && !m->sizes->warm ? o->home : o->second;
  int64_t cycles = latency - o->latency + (f.beyond ? o->third : first) + (from - now) / FRACTION;
  cycles += f.apart;
  if (known && !o->far) fill(m, w, m->now + cycles);
  return cycles;
}

/* A store or a reduction: it leaves the SM behind earlier ones. What goes to memory takes its turn
 * with what comes from there, when L2 has joined the parts of sectors. L1 keeps sectors that are
 * stored whole. */
static void store(Machine *m, const Warp *w, const Operation *o, const Ask *a) {
  int64_t now = m->now * FRACTION, from = m->gone > now ? m->gone : now, sent = 0;
  m->turn = (w->spec->scheduler + 1) % m->sizes->schedulers;
  if (a && o->unit == U_STORE) sent = (int64_t)(a->sectors + a->masks) * m->costs->sent;
  if (a && o->unit == U_REDUCE) sent = (int64_t)a->sectors * m->costs->reduced;
  m->gone = from + sent;
  m->left[m->stores++ % KEPT_STORES] = m->gone;
  if (!a) return;
  if (o->unit == U_STORE && m->first[w->spec->output + w->at - 1] >= 0 && a->whole >= a->sectors)
    fill(m, w, m->now + 1);
  m->moved[0] += a->whole;
  if (a->level != 3) return;
  m->moved[1] += a->whole;
  m->link = (m->link > now ? m->link : now) + (int64_t)a->whole * m->costs->third;
}

/* A fence of the GPU waits for the atomics of its warp. */
static void fence(const Machine *m, Warp *w) {
  if (w->settled > m->now) w->counted += w->settled - m->now;
}

/* A bulk copy: the engine of the SM begins one after the other, and what goes to other SMs takes
 * turns on the way there. Returns when it is over. */
static int64_t copy(Machine *m, const Warp *w, const Operation *o, const Ask *a) {
  int64_t *way = o->peer ? &m->peers : &m->engine;
  int64_t now = m->now * FRACTION, from = *way > now ? *way : now, bytes = a->bytes;
  *way = from + bytes * o->byte_rate / (BYTE_FRACTION / FRACTION);
  m->moved[a->level == 3] += a->whole;
  int64_t more = a->level == 3 ? o->third - o->second : 0;
  if (a->level == 2 && o->home && !m->sizes->warm) more = o->home - o->second;
  int64_t cycles = o->latency + bytes * o->byte_latency / BYTE_FRACTION;
  if (cycles < o->shortest) cycles = o->shortest;
  int64_t end = cycle_of(from) + cycles + more;
  tell(m, (Told){T_COPY, number_of(m, w), w->at - 1, (int32_t)m->now, (int32_t)cycle_of(from),
                 (int32_t)cycle_of(*way), (int32_t)end});
  return end;
}

static void load_bulk(Machine *m, const Warp *w, const Operation *o, const Ask *a) {
  Object *b = object_of(m, w, a);
  int64_t at = copy(m, w, o, a);
  if (at > b->at) b->at = at;
  b->last = number_of(m, w);
  b->by = w->at - 1;
  b->bytes -= a->bytes;
  end_phase(m, b);
}

static void keep_later(int64_t *kept, int64_t at) {
  if (at > *kept) *kept = at;
}

/* Arrivals at an mbarrier when the warp's earlier copies are over. */
static void arrive_with_copies(Machine *m, Warp *w, const Ask *a, int64_t delay) {
  arrive(m, w, a, w->copied > m->now + delay ? w->copied - m->now : delay);
}

/* Ask for what an instruction needs besides its pipe. The warp stands at its next one. */
static void ask(Machine *m, Scheduler *s, Warp *w, const Operation *o, const Ask *a) {
  int32_t passes = !a ? 0 : o->merges ? a->least : a->passes;
  if (o->never || (a && a->off)) {
    turn_off(m, s, w, o);
    return;
  }
  if (passes < o->fewest) passes = o->fewest;
  int64_t more = 0;
  if (o->besides && a) {
    int32_t known = m->first[w->spec->output + w->at - 1] >= 0;
    if (!known && passes > a->filled) passes = a->filled;
    more = (int64_t)besides_of(m, w, o, a) * o->besides;
    more += (int64_t)crossings_of(m, w, o, a) * o->crossing;
  }
  int64_t delay = o->port_least ? through_port(m, s, o, number_of(m, w), passes, more) : 0;
  int64_t result = m->now + delay + o->latency, operands = m->now + delay + o->operands;
  int32_t generic = a && a->level < 1 && o->unit == U_GLOBAL;
  if (passes > 1 && !generic) result += (int64_t)o->latency_pass * (passes - 1) / FRACTION;
  if (o->unit == U_GLOBAL || o->unit == U_ATOMIC)
    result = m->now + fetch(m, w, o, a, result - m->now);
  if (o->besides) {
    int64_t turn = cycle_of(m->ragged - (int64_t)o->data_pass * passes);
    keep_later(&result, turn + (a && a->level > 1 ? o->second : o->latency));
  }
  if (o->copies) keep_later(&w->copied, result);
  if (o->unit == U_ATOMIC) w->settled = result + m->costs->fenced;
  switch (o->unit) {
  case U_FENCE: fence(m, w); break;
  case U_STORE:
  case U_REDUCE: store(m, w, o, a); break;
  case U_BARRIER: come(m, w, a, 1); break;
  case U_BARRIER_ARRIVE: come(m, w, a, 0); break;
  case U_MBARRIER_INIT:
    for (int32_t k = 0; k < a->count; k++)
      object_of(m, w, a)[k * a->step] = (Object){.arrivals = a->amount, .pending = a->amount};
    break;
  case U_MBARRIER_ARRIVE: arrive(m, w, a, delay); break;
  case U_MBARRIER_WAIT: await(m, w, o, a, delay); break;
  case U_MATRIX: issue_matrix(m, w, o); break;
  case U_MATRIX_WAIT: await_matrix(m, w, o); break;
  case U_PENDING: await_releases(w, o); break;
  case U_BULK_LOAD: load_bulk(m, w, o, a); break;
  case U_BULK_STORE: keep_later(&w->stored, copy(m, w, o, a)); break;
  case U_BULK_END: result = operands = w->stored > result ? w->stored : result; break;
  case U_COPIES: result = w->copied > result ? w->copied : result; break;
  case U_COPIES_ARRIVE: arrive_with_copies(m, w, a, delay); break;
  case U_CLUSTER_ARRIVE: arrive_at_cluster(m, w); break;
  case U_CLUSTER_WAIT: await_cluster(m, w); break;
  }
  if (o->unit != U_MBARRIER_WAIT) release(m, w, o->write_barrier, result, R_RESULT);
  release(m, w, o->read_barrier, operands, R_OPERANDS);
}

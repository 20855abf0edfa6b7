/* One SM: its schedulers, their pipes, and the units that they share.
 *
 * Each warp issues what its trace says. Whatever an instruction takes of a unit is reserved when it
 * issues, so that all its times are known then, but for what other warps must do first.
 *
 * Every number comes from the caller (parameters.py): no constant of a GPU stands here.
 */
#ifndef LANEMAP_MACHINE_H
#define LANEMAP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* The fields of the tables that the caller fills, all int32_t. Python reads their names. */

/* An instruction of the code. Times are cycles from its issue, where nothing else is said. stall:
 * until the warp's next issue. waits, write_barrier, read_barrier: its control word's. pipe, other:
 * pipes of the scheduler, of which it takes the one that is free first; -1 for none. interval:
 * 64ths of a cycle for which it holds that pipe; contended: more of them behind another warp, in a
 * stream of one pipe (see Costs). reads: cycles for which it holds the scheduler's register file, 0
 * if it does not. taken, skipping: cycles until the next issue at least, if that is an earlier
 * instruction, and if it is a later one than the next. unit: what else it asks of. latency,
 * operands: until its result is there, and until its operands are read; latency_pass: 64ths more
 * for each pass behind the first. port, port_pass: 64ths of a cycle for which it holds the
 * scheduler's port to shared memory, and those of each pass, together no less than port_least;
 * data_pass: those of the data path of the SM, of each pass. ahead: how many may stay pending of
 * what it waits for, matrix instructions of a group or releases of the barrier `awaited` of control
 * words; of a matrix instruction, whether it ends a group. second, third: latency if L2 or memory
 * must answer; home: if the half of L2 must in which the bytes lie; shared, remote: if the shared
 * memory of its CTA, or of another one, does. shortest: latency of a bulk copy of few bytes.
 * byte_latency, byte_rate: of a bulk copy, 4096ths of a cycle for each byte, until it is there and
 * until the next may begin. copies: whether later instructions may wait for it as for a copy. peer:
 * whether it takes the way to other SMs. early: whether it issues before a barrier that its warp
 * has come to ends. besides, crossing: 64ths of a cycle for which it holds the data path for each
 * sector and line that it reads besides those that its bytes would fill.
 * merges: whether lanes at one word take one pass. far: whether L1 never answers it. fewest: passes
 * that it takes at least. never: whether its guard is false for all lanes, always. beside: 64ths of
 * a cycle by which it holds up a matrix instruction that the tensor cores execute; slowed: for
 * which it holds its pipe longer while they execute one of another warpgroup. */
// clang-format off
#define OPERATION(F) \
  F(stall) F(waits) F(write_barrier) F(read_barrier) F(pipe) F(other) F(interval) F(contended) \
  F(reads) F(taken) F(skipping) F(unit) F(latency) F(operands) F(latency_pass) \
  F(port_least) F(port_pass) F(data_pass) F(ahead) F(awaited) F(second) F(third) F(home) \
  F(shared) F(remote) F(shortest) F(byte_latency) F(byte_rate) F(copies) F(peer) F(early) \
  F(merges) F(far) F(fewest) F(never) F(beside) F(slowed) F(besides) F(crossing)

/* What one execution asks for. off: nothing, since its guard is false for all lanes. parts: whether
 * only some lanes take this branch. passes: of shared memory; least: if lanes at one word take one.
 * object: an mbarrier or a barrier, a number within its CTA. phase: phases of it that must be over.
 * amount: arrivals, or warps that a barrier waits for; of an initialization, the arrivals of each
 * phase, of `count` mbarriers, each `step` behind the one before. bytes: that an arrival announces,
 * or that a copy moves. level: what answers a read that L1 does not: 2 for L2, 3 for memory; 1 if L1
 * has it all, 0 for shared memory, -1 for another CTA's. sectors: that come from there, or that are
 * stored. masks: lines that are stored in part. whole, filled: sectors and lines that its bytes would
 * fill. */
#define ASK(F) \
  F(off) F(parts) F(passes) F(least) F(object) F(phase) F(amount) F(bytes) F(level) F(sectors) \
  F(masks) F(whole) F(filled) F(count) F(step)

/* A warp. begin, count: its part of `issued` and `asked`. output: its part of what is written.
 * scheduler, cta, group: its own; group numbers warpgroups. start: the cycle of its first issue. */
#define WARP(F) F(begin) F(count) F(output) F(scheduler) F(cta) F(group) F(start)

/* How much there is. objects: mbarriers and barriers of each CTA, of which the last is the barrier
 * of the cluster. group: warps of a warpgroup. resident: CTAs that begin by themselves; each other
 * one begins when one has ended. sectors: of global memory, distinct ones. instructions: of the
 * code. line: of a line of the caches of instructions. warm: whether the SM's cache holds what it can
 * of the code, and SMs of each half of L2 have read what that holds. told:
 * how much is told at most. */
#define SIZES(F) F(warps) F(ctas) F(groups) F(group) F(objects) F(schedulers) F(pipes) F(resident) \
  F(sectors) F(instructions) F(line) F(warm) F(told)

/* What is told besides of one thing that a warp began. what: a matrix instruction, a copy or a phase
 * of an mbarrier. number: the warp, or the mbarrier; place: in what the warp issued, or the phase.
 * begin: its issue. from, until: when it holds its unit. end: when it is done. */
#define TOLD(F) F(what) F(number) F(place) F(begin) F(from) F(until) F(end)
#define THINGS(F) F(MATRIX) F(COPY) F(PHASE)

/* Cycles of units that several warps share. barrier_warp: that a barrier takes for each warp.
 * barrier: from the last of these to its end; barrier_handed: more, if the last does not wait
 * itself. cluster: from the last arrival at a barrier of the cluster to its end. arrival_each: that
 * each arrival at an mbarrier takes of the SM. wake: from the last arrival of a phase to the result
 * of a wait for it. off: until an instruction whose guard is false releases its barriers; off_port:
 * 64ths for which it holds the port to shared memory. queue: accesses that a scheduler may have
 * there whose passes are not done. stream: issues of one pipe in a row, as of which one behind
 * another warp counts as contended. second, third: 64ths for which a sector from L2 or memory holds
 * the way to the SM. sent: for which one that is stored, or the mask of a line, holds the way from
 * it; reduced, changed: the same of a sector of a reduction and of an atomic. copied: for which one
 * that a copy reads holds the way to the SM; crossed, ragged: a line and a sector besides those that
 * its bytes would fill. fenced: cycles that a fence takes more behind stores; waiting: stores that
 * may wait for that way. products: matrix instructions of a warp that may be issued and not have left
 * the tensor cores. replaced: from the end of a CTA to the first issue of the one that takes
 * its place; given: from the first issue of one to that of the next at least, when CTAs take the
 * places of others. parted: that a branch at which lanes part takes more, until all lanes are
 * together again. lines, ways: of the SM's cache of instructions, and of a set of it; outer: lines
 * of the cache behind it. near, far: 64ths for which an instruction that comes
 * from there, or from L2, holds the way to the SM. */
#define COSTS(F) \
  F(barrier) F(barrier_handed) F(barrier_warp) F(cluster) F(arrival_each) F(wake) \
  F(off) F(off_port) F(queue) F(stream) F(second) F(third) F(replaced) \
  F(given) F(parted) F(sent) F(reduced) F(changed) F(copied) F(crossed) F(ragged) F(fenced) \
  F(waiting) F(products) F(lines) F(ways) F(outer) F(near) F(far)

#define UNITS(F) \
  F(NOTHING) F(PORT) F(BARRIER) F(BARRIER_ARRIVE) F(MBARRIER_INIT) F(MBARRIER_ARRIVE) \
  F(MBARRIER_WAIT) F(MATRIX) F(MATRIX_WAIT) F(PENDING) F(CLUSTER_ARRIVE) F(CLUSTER_WAIT) \
  F(GLOBAL) F(ATOMIC) F(STORE) F(REDUCE) F(FENCE) F(BULK_LOAD) F(BULK_STORE) F(BULK_END) F(COPIES) \
  F(COPIES_ARRIVE)

/* Why a warp did not issue in a cycle. ISSUED is the cycle in which it did. */
#define REASONS(F) \
  F(ISSUED) F(STALL_COUNT) F(BRANCH) F(RESULT) F(OPERANDS) F(BARRIER) F(MBARRIER) F(MATRIX) \
  F(PIPE) F(PORT) F(REGISTERS) F(NOT_SELECTED) F(ENDED) F(ROOM) F(FETCH) F(STORES)
// clang-format on

#define FIELD(name) int32_t name;
#define NAME(name) #name " "
#define UNIT(name) U_##name,
#define REASON(name) R_##name,
#define THING(name) T_##name,
typedef struct { OPERATION(FIELD) } Operation;
typedef struct { ASK(FIELD) } Ask;
typedef struct { WARP(FIELD) } WarpSpec;
typedef struct { SIZES(FIELD) } Sizes;
typedef struct { COSTS(FIELD) } Costs;
typedef struct { TOLD(FIELD) } Told;
enum { UNITS(UNIT) U_COUNT };
enum { REASONS(REASON) R_COUNT };
enum { THINGS(THING) T_COUNT };

enum { BARRIERS = 6, NO_BARRIER = 7, FRACTION = 64, BYTE_FRACTION = 4096, KEPT = 16 };
enum { KEPT_PRODUCTS = 256, KEPT_STORES = 256, LEVELS = 2 };
#define NEVER INT64_MAX

/* A pipe of a scheduler: when it is free, in 64ths, and the warp that held it last. */
typedef struct {
  int64_t free;
  int32_t warp;
} Pipe;

/* free, registers: cycle from which it may issue, and read registers. port: when the port to shared
 * memory has read the last access, in 64ths; holder: the warp that held it last. passed: when all
 * its passes are done; done: when those of each of the last accesses were; accesses: how many. */
typedef struct {
  int64_t free, registers, port, passed, beside, done[KEPT];
  int32_t holder, members, accesses;
  int32_t *member;
  Pipe *pipe;
} Scheduler;

/* A moment that a warp waits for. at: when, NEVER while nobody knows. why: the reason that counts
 * until then. cause, causing: the place of what brings it about, in what which warp issued. */
typedef struct {
  int64_t at;
  int32_t why, cause, causing;
} Moment;

/* A barrier of a control word, and what it waits for: an mbarrier (object is -1 for none) and how
 * many of its phases must be over, at no time before `least`. past: its last releases, in order;
 * releases: how many there were. */
typedef struct {
  Moment moment, past[KEPT];
  int64_t least;
  int32_t object, phase, releases;
} Scoreboard;

/* counted: when its stall count is over, or its branch. until: when a barrier or matrix
 * instructions let it go on. base: when its next instruction could issue, were its pipe free.
 * gate: the end of the barrier that it has come to, for which only early instructions do not wait.
 * object: the barrier that it stands at, or -1. matrix, commits: how many it issued and committed;
 * awaits: the number behind the matrix instruction that it waits for, or 0. clusters: its arrivals
 * at barriers of the cluster. there: when its next instruction is. streak: its last issues in a row
 * that took last_pipe. copied, stored: when its copies to shared memory and its bulk stores are
 * over. settled: when a fence need not wait for its
 * atomics any more. */
typedef struct {
  const WarpSpec *spec;
  Scoreboard board[BARRIERS];
  Moment until, base, gate;
  int64_t counted, previous, copied, stored, settled, there;
  int32_t at, branched, streak, last_pipe, object, matrix, commits, awaits, clusters;
  int32_t commit[KEPT];
} Warp;

/* An mbarrier or a barrier. over: phases that are over; end: when each of the last ones was.
 * pending: arrivals that this phase still needs, of `arrivals`; bytes: announced and not there.
 * at: when all that came so far was there. last, by: the warp that came last, and the place of that
 * in what it issued. */
typedef struct {
  int64_t bytes, at, end[KEPT];
  int32_t over, arrivals, pending, last, by;
} Object;

/* A matrix instruction of a warpgroup: who has issued it, when the last did, when it has left the
 * tensor cores, and when it is done. */
typedef struct {
  int64_t issued, left;
  Moment done;
  int32_t arrived;
} Product;
typedef struct { Product product[KEPT_PRODUCTS]; } Group;

/* A matrix instruction that all warps of its group have issued. number: of those of its group, from
 * 1; place, warp: of its last issue. */
typedef struct {
  Product *product;
  const Operation *operation;
  int32_t group, number, place, warp;
} Queued;

/* A line of code. at: when its first instruction is in the SM's cache, in 64ths; each: until the
 * next one is. used: when it was last needed; since: which fetch brought it, or 0; held: whether
 * the SM's cache has it. */
typedef struct {
  int64_t at, used;
  int32_t each, since, held;
} Line;

/* lines: by place of what is written, how many lines its sectors lie in. apart: by sector, cycles
 * that its line answers later than the mean of L2 or of memory, whichever has it; away: the same of
 * an atomic. moved: sectors so far of L2, and of memory. */
typedef struct {
  const Sizes *sizes;
  const Operation *code;
  const Ask *asks;
  const Costs *costs;
  const int32_t *issued, *asked, *first, *count, *lines, *touched, *beyond, *apart, *away;
  Warp *warp;
  Scheduler *scheduler;
  Object *object;
  Group *group;
  Pipe matrix;
  Queued *queue;
  int32_t queued, finished, multiplying;
  int64_t spare, beside, ragged;
  int64_t data, counter, now, link, engine, peers, given, *present;
  int64_t gone, left[KEPT_STORES], moved[LEVELS];
  Line *line;
  int64_t fetching, started;
  Told *told;
  int32_t tellings, live, begun, fetches, stores, turn;
  int32_t *running;
  int32_t *when, *cause, *causing;
  uint8_t *why;
  int64_t *account;
} Machine;

static inline int64_t cycle_of(int64_t fraction) { return (fraction + FRACTION - 1) / FRACTION; }

#endif

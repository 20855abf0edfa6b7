/* State of a PTX warp with divergent lanes: shared by ptx_lanes.c, ptx_barriers.c and
 * ptx_mbarrier.c. */
#ifndef LANEMAP_PTX_WARP_H
#define LANEMAP_PTX_WARP_H
#include "objects.h"

enum { LANES = 32 };
/* What a gate, or whatever else may have to wait, returns when the lanes go on. */
enum { GO_ON = -1 };

/* Ready to run; waiting at a block's beginning for lanes that it names; waiting at a barrier;
 * waiting at a block's beginning for a phase of an mbarrier. */
enum { READY = 1, GATED = 2, AT_BARRIER = 3, AWAITING = 4 };

/* What a wave waits for (Wave.barrier) besides the barriers of its CTA and its cluster. */
enum Waits {
  WAITS_FOR_MBARRIER = MAX_BARRIERS + 1,
  WAITS_FOR_COLUMNS = MAX_BARRIERS + 2,
  WAITS_FOR_WARPGROUP = MAX_BARRIERS + 3,
  WAITS_FOR_REGISTERS = MAX_BARRIERS + 4
};

typedef struct { u32 block, mask, state, barrier; } Lanes;
typedef struct {
  WarpOrder order;  /* the memory model's */
  u32 begun, alive; /* lanes that have not ended */
  u32 others;       /* the bits of groups besides the one that runs */
  u32 rounds, turn, next;
  u32 polls;   /* set by generated code: memory was polled since the last back edge */
  u32 refused; /* gates in a row that nobody got through */
  Lanes groups[LANES];
  u32 arrived;                /* lanes that arrived at the cluster barrier in this round */
  u32 owing;                  /* lanes that arrived there and have not waited yet */
  u64 round;                  /* of the cluster barrier, when lanes arrived there last */
  u32 give_up;                /* lanes whose next mbarrier.try_wait gives up */
  u32 awaited_parity;         /* what lanes wait for, for reports: an mbarrier's address, */
  u64 awaited, awaited_value; /* and the parity or the number of its phase */
  u32 granted;                /* lanes for which the phase that they wait for has ended */
  u32 registers, register_changes, register_instruction; /* setmaxnreg: ptx_registers.c */
  u64 tensor_copies; /* which of the last 64 operations of the tensor core are tcgen05.cp: bit
                        number % 64 */
  /* of a setmaxnreg.inc that waits: what it asks for, what the CTA's other warps have, and what
   * the CTA may */
  u32 registers_asked, registers_others, registers_pool;
  u32 kept[LANES]; /* words on each lane's stack of what calls keep (ptx_calls.c) */
} Warp;
_Static_assert(sizeof(Warp) <= sizeof(((Wave *)0)->front_end), "front_end is too small");

Warp *warp_of(Wave *w);
/* The group of the lowest bit. */
static inline Lanes *group_of(Warp *s, u32 bits) { return &s->groups[__builtin_ctz(bits)]; }
/* Lanes wait in a state at the beginning of a block. */
void put(Warp *s, u32 block, u32 mask, u32 state, u32 barrier);
/* Choose the lanes that run next; those that ran have been put back, have ended or wait. */
u32 choose(Wave *w, Warp *s);
/* The lanes that run go to `block`; `back`: along a back edge. */
u32 go(Wave *w, Warp *s, u32 block, u32 back);
/* The lanes that run end. */
u32 lm_ptx_exit(Wave *w);
/* The round of the cluster barrier in which the warp arrives next; has it waited for one from
 * `round` on? */
u64 round_to_come(Wave *w);
int round_met(Wave *w, u64 round);
/* All lanes that have not ended are at barriers. */
u32 arrive_whole(Wave *w, Warp *s);
/* A warp of the CTA gave registers back, or ended: those that wait for some ask again. */
void retry_registers(const Cta *c);
/* The last warp of a CTA ended: have all warps of each warpgroup executed setmaxnreg as often? */
void registers_leave(Wave *last);
/* Lanes ended: barriers may have been waiting only for them. */
void lanes_ended(Wave *w);
#endif

/* What is kept for wgmma: warpgroups, and which registers their operations still use. */
#ifndef LANEMAP_WGMMA_H
#define LANEMAP_WGMMA_H
#include "ptx_cta.h"
#include "shared_layout.h"

enum {
  GROUP_WARPS = 4,
  GROUP_LANES = 32,
  GROUP_ROWS = 64,
  MOST_COLUMNS = 256,
  MOST_D_REGISTERS = 128,
  WGMMA_A_REGISTERS = 4,
  MOST_TRACKED = PENDING_WORDS * 64
};
/* What a wait for registers is called: lower/runtime.py, COUNTERS. */
enum { COUNTER_WGMMA = 1 };
/* Groups and operations that a warp remembers: the hardware has far fewer in flight. */
enum { MOST_WGMMA_GROUPS = 64, MOST_OPERATIONS = 256 };
/* Scratch rows: A (with the metadata of a sparse one behind it), and what is undefined of D. */
enum WgmmaRow { WGMMA_ROW_A = 0, WGMMA_ROW_D = 8 };

/* One instruction, a table of its program. `shape` tells forms of D apart: M, N, K and its type.
 * `negate`: the products. D's table has an element of D for each warp, register, half of one
 * where D has 16 bits, and lane; A's begins with the length of runs along k, and has then the
 * bit of each in the registers of the warpgroup. A sparse A has half of its elements, and
 * `metadata_table` the bit of each chunk's metadata, by row. `tiles`: of A and then of B, for
 * each swizzle, where behind the form, in words, a tile is described that lies otherwise than
 * the model's columns say; 0: none. (Tables of their own would change the numbers of others, on
 * which compiled code depends.) `pairs`: D lies as swap_pairs says. `direct`: and the engine reads
 * and writes it in its registers. */
typedef struct WgmmaForm {
  SumRule rule;
  u32 columns, depth, bits, a_format, b_format, a_registers, a_mn, b_mn, negate, d_registers, shape;
  u32 d_table, a_table, sparse, metadata_table;
  u32 tiles[2 * 4];
  u32 pairs, direct;
} WgmmaForm;

/* One wgmma of a warpgroup. Operations are numbered as the accesses of the engine. */
typedef struct WgmmaOperation { u32 instruction, shape; } WgmmaOperation;

/* For each tracked register the last operation that writes it, or reads it as A, as far as that
 * is not known to be complete, and whether and how it was written since the last fence; 0: none. */
enum { WRITTEN = 1, ZEROED = 2 };
typedef struct WgmmaWarp {
  u32 fenced, last;   /* it executed a fence; its last operation */
  u32 groups, done;   /* committed so far; `done`: its share of a product lies in Warpgroup.d */
  u32 waited, unused; /* its last operation as it waited last */
  u32 ends[MOST_WGMMA_GROUPS]; /* last operations of the groups */
  u32 writer[MOST_TRACKED], reader[MOST_TRACKED];
  u8 written[MOST_TRACKED];
} WgmmaWarp;

typedef struct Warpgroup {
  u32 here, instruction; /* warps that wait for the others at a wgmma */
  u64 a, b, adds;        /* its operands */
  WgmmaOperation operations[MOST_OPERATIONS];
  WgmmaWarp warps[GROUP_WARPS];
  /* of the last wgmma, C and then D as rows of a matrix in the type of the result */
  u32 d[GROUP_WARPS * MOST_D_REGISTERS * GROUP_LANES];
  /* where the engine finds C and leaves D, of the form and the registers of the last wgmma */
  const void *form, *registers;
  u8 *strips[GROUP_ROWS * MOST_COLUMNS / 16];
} Warpgroup;

/* A wave's warpgroup, its state there, and the waves of the warpgroup. */
static inline Warpgroup *warpgroup_of(const Wave *w) {
  return &ptx_cta(w->cta)->warpgroups[w->index / GROUP_WARPS];
}
static inline WgmmaWarp *state_of(const Wave *w) {
  return &warpgroup_of(w)->warps[w->index % GROUP_WARPS];
}
static inline Wave *first_of(const Wave *w) {
  return w->group->members[w->member - w->index % GROUP_WARPS];
}
static inline Wave *warp_at(const Wave *w, u32 number) {
  return w->group->members[first_of(w)->member + number];
}

/* The registers of an instruction, as a table has them: for each of D where it lies in the wave, in
 * bytes; then the numbers of D's and A's, or -1. */
static inline u32 *d_register(Wave *w, const i32 *registers, u32 number) {
  return (u32 *)((u8 *)w + registers[number]);
}

/* May the operation use its registers? From now on it does. */
void check_registers(Wave *w, u32 instruction, const WgmmaForm *f, const i32 *registers);
void use_registers(Wave *w, const WgmmaForm *f, const i32 *registers);
/* A CTA begins; a warp ended, for which others of its warpgroup may wait. */
void warpgroups_begin(Cta *c);
void warpgroup_left(Wave *w);
#endif

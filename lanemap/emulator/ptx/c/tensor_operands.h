/* One execution of tcgen05.mma, and where its operands lie: tensor_mma.c, tensor_operands.c. */
#ifndef LANEMAP_TENSOR_OPERANDS_H
#define LANEMAP_TENSOR_OPERANDS_H
#include "shared_layout.h"
#include "tensor_cells.h" /* written from lanemap/model/tensor_cells.py (lower/facts.py) */
#include "tensor_shape.h"

/* Scratch rows with operands of tcgen05.mma, by lane: D's address; A's descriptor, or address;
 * B's descriptor; the instruction descriptor; whether D is an addend; addresses of scales; lanes
 * of D that stay as they are; of .ws the zero-column mask. */
enum MmaRow {
  MMA_ROW_D = 0,
  MMA_ROW_A = 1,
  MMA_ROW_B = 3,
  MMA_ROW_IDESC = 5,
  MMA_ROW_ADDS = 6,
  MMA_ROW_SFA = 7,
  MMA_ROW_SFB = 8,
  MMA_ROW_DISABLED = 9,
  MMA_ROW_COLUMNS = 17
};
enum { MMA_ROWS = MMA_ROW_COLUMNS + 2 };
enum {
  PAIR = 2,
  MOST_M = 256,
  MOST_N = 256,
  MOST_CELLS = TENSOR_LANES * MOST_N,
  MOST_SCALE_BYTES = TENSOR_LANES * 8 * 4,
  STEP_BYTES = 32 /* of a line of A or B */
};

/* Maps of the model that somebody replaced: a table with their number, for each its key
 * (mma_key) and where it begins, and what it says. Of D: for each cell of tensor memory, by CTA,
 * lane and column, the element that it holds, by row and column. Of A: for each copy, row and k
 * its bit of the CTA's tensor memory from the operand's column on. Of scales: for each byte, by
 * lane, column and byte, its scale, by row and block. Of a tile in shared memory: see
 * element_place. NOTHING where there is none. */
enum MmaMap { MMA_MAP_D = 1, MMA_MAP_A, MMA_MAP_SFA, MMA_MAP_SFB, MMA_MAP_TILE };
static inline u32 mma_key(u32 map, u32 a, u32 b, u32 c) {
  return map << 28 | a << 20 | b << 10 | c;
}

typedef struct MmaRun {
  Wave *w;
  const MmaForm *form;
  const i32 *maps;
  Cta *ctas[PAIR]; /* that take part, by rank */
  u64 stamp;
  u32 instruction, lane, count; /* count: of CTAs */
  u32 rows;                     /* of A and D in each CTA */
  u32 parts,
      columns; /* of B, each in a CTA of its own or for a block of D's lanes; columns of each */
  u32 adds;    /* D is an addend */
  u32 d, a, sfa, sfb;              /* addresses in tensor memory */
  u32 disabled[TENSOR_LANES / 32]; /* lanes of D that stay as they are */
  u64 zeros; /* the zero-column mask descriptor; 0: all columns of B are as they are */
  MmaShape shape;
  const RowCells *lies; /* rows of D and A in tensor memory */
  SharedLayout a_layout, b_layout;
} MmaRun;

const i32 *mma_map(const MmaRun *m, u32 key);
/* The shared memory, or the tensor memory, of a CTA as the instruction accesses it. */
Access shared_access(const MmaRun *m, Cta *of);
Access engine_access(const MmaRun *m, const Cta *of, u32 kind);
/* Are columns from one on the CTA's? Otherwise a hazard, and 0. */
int columns_owned(const MmaRun *m, const Cta *of, u32 first, u32 columns);
/* What the bits of an index add to a place, by what each of them does. */
static inline u32 index_place(const u32 *columns, u32 index) {
  u32 place = 0;
  for (; index; index &= index - 1) place += columns[lowest(index)];
  return place;
}
/* The place that an address of tensor memory names: its lane in the high half. */
static inline u32 address_place(u32 address) {
  return TENSOR_PLACE(address >> 16, address & 0xffff, 0);
}

/* Elements of lines from `first` on of an operand that is accessed; 0 after a hazard. `places`:
 * room for those of all its runs. `copy`: of A in tensor memory where that has two. */
int read_shared(const MmaRun *m, Cta *of, const SharedLayout *l, u32 first, u32 lines, Operand *o,
                u32 *places);
/* Is the zero-column mask one that the ISA describes? */
int check_zeros(const MmaRun *m);
static inline int changes_columns(const MmaRun *m) {
  return (m->zeros >> 39 & 1) != 0 || (m->zeros >> 56 & 0x3f) != 0;
}
/* B where that changes its columns: some are zero, or all begin further on. Its elements go to
 * `gathered`. */
int read_zeroed(const MmaRun *m, Cta *of, u32 first, Operand *o, u32 *places, u8 *gathered);
int read_tensor_a(const MmaRun *m, u32 rank, u32 copy, Operand *o, u32 *places);
/* The scales of all rows, by row and block: SFA of a CTA's own rows, SFB of all columns. */
int read_scales(const MmaRun *m, u32 rank, int of_b, u8 *codes);
#endif
